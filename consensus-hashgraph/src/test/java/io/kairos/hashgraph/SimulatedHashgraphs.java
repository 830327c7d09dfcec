package io.kairos.hashgraph;

import io.kairos.contracts.ReplicatedLogContract;
import io.kairos.domain.replica.ReplicaGroup;
import io.kairos.domain.replica.ReplicaId;
import io.kairos.engine.replica.OrderedExecution;
import io.kairos.engine.replica.ReplicatedLog;
import io.kairos.engine.replica.StateMachine;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;

/** Four simulated replicas as the contract wants them. */
final class SimulatedHashgraphs implements ReplicatedLogContract.Replicas {
  private static final long STEP_NANOS = 1_000_000;
  private static final long FAR_TOO_LONG_NANOS = 600_000_000_000L;

  private final Timeline timeline = new Timeline();
  private final List<SimulatedReplica> replicas = new ArrayList<>();
  private final Set<ReplicaId> wiped = new HashSet<>();
  private final Map<ReplicaId, Path> wipes = new HashMap<>();

  SimulatedHashgraphs(int size, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    ReplicaGroup cluster = new ReplicaGroup(size, ReplicaGroup.Faults.BYZANTINE);
    SimulatedNetwork network = new SimulatedNetwork(size, timeline, random.split());
    List<EventKeys> keys = SimulatedKeys.cheap(size, seed);
    for (ReplicaId id : cluster.replicas()) {
      SimulatedReplica replica =
          new SimulatedReplica(
              new HashgraphConfig(
                  id, cluster, "contract", SimulatedReplica.PACE, SimulatedReplica.BOUNDS),
              timeline,
              keys.get(id.number()),
              random.split(),
              (to, message) -> network.send(id, to, message));
      network.listen(id, replica::receive);
      replicas.add(replica);
    }
  }

  static SimulatedHashgraphs onFiles(Path folder, long seed) {
    SimulatedHashgraphs replicas = new SimulatedHashgraphs(4, seed);
    for (SimulatedReplica replica : replicas.replicas) {
      Path file = folder.resolve("journal-" + replica.id().number());
      replica.files =
          () ->
              FileJournal.open(
                  file,
                  replica.config,
                  replicas.wiped.remove(replica.id()),
                  new SplittableRandom(seed));
      replicas.wipes.put(replica.id(), file);
    }
    return replicas;
  }

  @Override
  public ReplicatedLog open(ReplicaId id, StateMachine machine) {
    return replicas
        .get(id.number())
        .open(machine, OrderedExecution.Config.DEFAULT, HashgraphLog.Watcher.NOBODY);
  }

  @Override
  public void crash(ReplicaId id) {
    replicas.get(id.number()).crash();
  }

  @Override
  public void wipe(ReplicaId id) {
    replicas.get(id.number()).journal.wipe();
    Path file = wipes.get(id);
    if (file != null) {
      try {
        Files.delete(file);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      wiped.add(id);
    }
  }

  @Override
  public boolean letPass(BooleanSupplier until) {
    long end = timeline.nowNanos() + FAR_TOO_LONG_NANOS;
    while (!until.getAsBoolean()) {
      if (timeline.nowNanos() > end) {
        return false;
      }
      timeline.runUntil(timeline.nowNanos() + STEP_NANOS);
    }
    return true;
  }

  @Override
  public Instant now() {
    return SimulatedReplica.START.plusNanos(timeline.nowNanos());
  }

  @Override
  public boolean hasTime() {
    return true;
  }

  @Override
  public void close() {
    replicas.forEach(SimulatedReplica::crash);
  }
}
