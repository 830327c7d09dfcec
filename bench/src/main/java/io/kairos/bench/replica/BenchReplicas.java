package io.kairos.bench.replica;

import io.kairos.bench.load.BenchWait;
import io.kairos.bench.replica.BenchReplicaProcess.State;
import io.kairos.bench.replica.ReplicaSettings.Kind;
import io.kairos.bench.replica.ReplicaSettings.Log;
import io.kairos.bench.rig.WorkFolder;
import io.kairos.contracts.certificate.ReplicaFiles;
import io.kairos.embedded.FileTree;
import io.kairos.embedded.LoopbackPort;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/**
 * Replicas on this machine, each in its own process with a directory and a port. Used by one
 * thread.
 */
final class BenchReplicas implements AutoCloseable {
  private static final Duration LOOK_EVERY = Duration.ofMillis(10);
  private static final Duration LEADS_WITHIN = Duration.ofSeconds(30);
  private static final Duration EQUAL_WITHIN = Duration.ofSeconds(60);
  private static final int ENTRIES_AT_A_TIME = 2_000;

  private final Path folder;
  private final Kind kind;
  private final Log log;
  private final List<Integer> ports;
  private final List<BenchReplicaProcess> replicas = new ArrayList<>();

  /**
   * Starts replicas.
   *
   * @param name of a folder of their own in the parent
   * @param tick of the table that a cron has
   */
  BenchReplicas(WorkFolder parent, String name, int size, Kind kind, Log log, Duration tick) {
    this.folder = parent.resolve(name);
    this.kind = kind;
    this.log = log;
    this.ports = Stream.generate(LoopbackPort::choose).distinct().limit(size).toList();
    boolean completed = false;
    try {
      Files.createDirectories(folder);
      if (log == Log.HASHGRAPH) {
        keys().make();
      }
      for (int number = 0; number < size; number++) {
        replicas.add(process(number));
      }
      replicas.forEach(BenchReplicaProcess::awaitOpen);
      if (kind == Kind.CRON) {
        replicas.getFirst().putTable(tick);
      }
      completed = true;
    } catch (IOException e) {
      throw new UncheckedIOException("cannot use " + folder, e);
    } finally {
      if (!completed) {
        close();
      }
    }
  }

  private ReplicaFiles keys() {
    return new ReplicaFiles(folder.resolve("keys"), ports.size());
  }

  private BenchReplicaProcess process(int number) {
    return new BenchReplicaProcess(
        new ReplicaSettings(number, ports, directory(number), kind, log, keys()),
        folder.resolve("replica-" + number + ".log"));
  }

  private Path directory(int number) {
    return folder.resolve("replica-" + number);
  }

  List<BenchReplicaProcess> replicas() {
    return List.copyOf(replicas);
  }

  BenchReplicaProcess replica(int number) {
    return replicas.get(number);
  }

  /** Starts one that was killed. */
  BenchReplicaProcess restart(int number) {
    replicas.set(number, process(number));
    return replicas.get(number);
  }

  /** Removes all that one which does not run has kept. */
  void wipe(int number) {
    try {
      FileTree.delete(directory(number));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot wipe " + directory(number), e);
    }
  }

  /** True when the replica has kept its state in a snapshot. */
  boolean hasSnapshot(int number) {
    try (Stream<Path> files = Files.walk(directory(number))) {
      return files.anyMatch(file -> file.toString().contains("/snapshot."));
    } catch (IOException | UncheckedIOException e) {
      return false; // a file that went while it was looked at: there will be another
    }
  }

  /** Waits until a replica leads and knows it, and returns its number. */
  int leader() {
    int[] leader = {-1};
    await(
        () -> {
          for (BenchReplicaProcess replica : replicas) {
            int named = replica.leader();
            if (named >= 0 && replicas.get(named).leader() == named) {
              leader[0] = named;
            }
          }
          return leader[0] >= 0;
        },
        LEADS_WITHIN,
        "nobody leads");
    return leader[0];
  }

  /** Puts entries in, one request for each, and returns when they have been executed. */
  void put(int entries, Duration period) {
    for (int first = 0; first < entries; first += ENTRIES_AT_A_TIME) {
      replicas.getFirst().put(first, Math.min(ENTRIES_AT_A_TIME, entries - first), period);
    }
  }

  /** Waits until all have executed the same, and their digests are equal. */
  State awaitEqual() {
    List<State> states = new ArrayList<>();
    await(
        () -> {
          states.clear();
          replicas.forEach(replica -> states.add(replica.state()));
          return states.stream().mapToLong(State::sequence).distinct().count() == 1;
        },
        EQUAL_WITHIN,
        "the replicas do not come to the same place");
    if (states.stream().distinct().count() > 1) {
      throw new IllegalStateException("equal sequences and other states: " + states);
    }
    return states.getFirst();
  }

  static void await(BooleanSupplier condition, Duration atMost, String otherwise) {
    if (!BenchWait.until(condition::getAsBoolean, atMost, LOOK_EVERY)) {
      throw new IllegalStateException(otherwise + ", after " + atMost.toSeconds() + " s");
    }
  }

  @Override
  public void close() {
    replicas.forEach(BenchReplicaProcess::close);
  }
}
