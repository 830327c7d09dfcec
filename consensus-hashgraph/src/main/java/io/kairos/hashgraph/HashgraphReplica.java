package io.kairos.hashgraph;

import io.kairos.domain.replica.ReplicaId;
import io.kairos.engine.loop.NextRound;
import io.kairos.engine.loop.Step;
import io.kairos.engine.replica.OrderedExecution;
import io.kairos.engine.replica.PeerReport;
import io.kairos.engine.replica.ReplicatedLogProvider;
import io.kairos.engine.replica.RequestSubmissions;
import io.kairos.engine.replica.StateMachine;
import io.kairos.engine.time.MonotonicClock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A replica of a {@link HashgraphLog} as a part of a process: with a thread, a journal on the disk,
 * and connections to the other replicas. Its {@link #steps} are to be run for as long as it is
 * open.
 */
public final class HashgraphReplica extends HashgraphLog {
  private static final String JOURNAL = "journal";
  private static final String LOCK = "journal.lock";
  private static final Duration PUBLISHES_EVERY = Duration.ofMillis(100);

  private final HashgraphConfig config;
  private final Owned owned;
  private final MonotonicClock clock;
  private final AtomicBoolean closed = new AtomicBoolean();
  private volatile Progress progress;
  private long publishedAt;

  /** State that the log's thread publishes to other threads. */
  private record Progress(
      long round,
      Instant agreed,
      boolean isSilent,
      List<ReplicaId> forkers,
      List<Long> rounds,
      List<Map<Occurrence, Long>> occurrences) {}

  /** Resources that this replica has opened, and closes. */
  private record Owned(
      FileChannel lock, FileJournal journal, GossipNetwork network, OwnThread thread) {
    void close(Runnable last) {
      try (lock;
          journal;
          network) {
        thread.close(last);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /**
   * Starts a replica with what its journal kept.
   *
   * @param broken is notified once, on the log's thread, when an invariant is broken or the disk
   *     fails: this replica does nothing any more and must be closed
   * @throws IllegalStateException if the directory is of another replica, in use, or damaged
   * @throws UncheckedIOException if directory or address cannot be used
   */
  public static HashgraphReplica open(
      HashgraphReplicaConfig config,
      StateMachine machine,
      OrderedExecution.Config execution,
      RequestSubmissions.Bounds bounds,
      ReplicatedLogProvider.Surroundings around,
      Consumer<Throwable> broken) {
    FileChannel lock = lock(config.directory());
    @Nullable FileJournal journal = null;
    @Nullable GossipNetwork network = null;
    @Nullable HashgraphReplica replica = null;
    try {
      Path file = config.directory().resolve(JOURNAL);
      if (hadJournal(lock) && !Files.exists(file) && !config.hasForgotten()) {
        throw new IllegalStateException(
            "%s is not there, and this replica has had one: put it back, or start this replica with replica.hashgraph.forgotten: true while all others are well"
                .formatted(file));
      }
      journal = FileJournal.open(file, config.log(), config.hasForgotten(), around.random());
      noteJournal(lock);
      network = GossipNetwork.bind(config.gossip(), config.log(), config.keys(), around.nanos());
      OwnThread thread = new OwnThread("kairos-log-" + config.log().self().number(), broken);
      replica =
          new HashgraphReplica(
              config,
              new OrderedExecution(machine, execution, config.log().cluster()),
              bounds,
              around,
              new Owned(lock, journal, network, thread));
      network.start(replica::receive);
      return replica;
    } finally {
      if (replica == null) {
        closeAll(network, journal, lock);
      }
    }
  }

  private static void closeAll(@Nullable AutoCloseable... all) {
    for (AutoCloseable each : all) {
      try {
        if (each != null) {
          each.close();
        }
      } catch (Exception _) {
        // what happened before is thrown
      }
    }
  }

  private HashgraphReplica(
      HashgraphReplicaConfig config,
      OrderedExecution execution,
      RequestSubmissions.Bounds bounds,
      ReplicatedLogProvider.Surroundings around,
      Owned owned) {
    super(
        config.log(),
        execution,
        bounds,
        new Surroundings(
            owned.thread(),
            config.keys(),
            owned.journal(),
            owned.network(),
            around.clock(),
            around.nanos(),
            around.random(),
            Watcher.NOBODY));
    this.config = config.log();
    this.owned = owned;
    this.clock = around.nanos();
    this.progress = progress();
    this.publishedAt = clock.nanos();
  }

  // The lock has a byte once there was a journal.

  private static boolean hadJournal(FileChannel lock) {
    try {
      return lock.size() > 0;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void noteJournal(FileChannel lock) {
    try {
      lock.write(ByteBuffer.wrap(new byte[1]), 0);
      lock.force(true);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static FileChannel lock(Path directory) {
    Path file = directory.resolve(LOCK);
    try {
      Files.createDirectories(directory);
      FileChannel channel =
          FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      if (!isLocked(channel)) {
        channel.close();
        throw new IllegalStateException(directory + " is in use by another replica");
      }
      return channel;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean isLocked(FileChannel channel) throws IOException {
    try {
      return channel.tryLock() != null;
    } catch (OverlappingFileLockException _) {
      return false; // in this process
    }
  }

  @Override
  public List<Step> steps() {
    List<Step> steps = new ArrayList<>(super.steps());
    steps.add(Step.of("links", this::lookAtLinks));
    return steps;
  }

  @Override
  public Optional<String> obstacle() {
    return HashgraphProvider.obstacle(config, status());
  }

  @Override
  public Optional<PeerReport> peerReport() {
    return Optional.of(HashgraphProvider.report(config, status()));
  }

  private NextRound lookAtLinks() {
    owned.network().look();
    return NextRound.after(GossipNetwork.LOOKS_EVERY);
  }

  @Override
  public void look() {
    super.look();
    if (clock.nanos() - publishedAt >= PUBLISHES_EVERY.toNanos()) {
      publishedAt = clock.nanos();
      progress = progress();
    }
  }

  private Progress progress() {
    List<ReplicaId> replicas = cluster().replicas();
    return new Progress(
        core().round(),
        core().agreed(),
        core().isSilent(),
        core().forkers(),
        replicas.stream().map(core()::round).toList(),
        replicas.stream().map(core()::occurrences).toList());
  }

  /** Status of this replica and its view of the others; on any thread. */
  public HashgraphStatus status() {
    Progress last = progress;
    GossipNetwork network = owned.network();
    List<HashgraphStatus.Peer> peers = new ArrayList<>();
    for (ReplicaId replica : cluster().replicas()) {
      peers.add(
          new HashgraphStatus.Peer(
              replica,
              last.rounds().get(replica.number()),
              network.isHeard(replica),
              network.isReached(replica),
              last.occurrences().get(replica.number()),
              network.faults(replica)));
    }
    return new HashgraphStatus(
        last.round(),
        last.agreed(),
        last.isSilent(),
        last.forkers(),
        peers,
        owned.thread().stopped(),
        network.faults(null));
  }

  /** Must not be called on the log's thread, because it waits for that thread. */
  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      try {
        owned.network().close(); // first, so that nothing more comes
      } finally {
        owned.close(super::close);
      }
    }
  }
}
