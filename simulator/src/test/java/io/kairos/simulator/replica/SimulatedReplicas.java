package io.kairos.simulator.replica;

import io.kairos.contracts.ReplicatedLogContract;
import io.kairos.domain.replica.ReplicaGroup;
import io.kairos.domain.replica.ReplicaId;
import io.kairos.engine.replica.OrderedExecution;
import io.kairos.engine.replica.ReplicatedLog;
import io.kairos.engine.replica.StateMachine;
import java.time.Instant;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;

/** Simulated replicas as the contract wants them. */
final class SimulatedReplicas implements ReplicatedLogContract.Replicas {
  private static final long STEP_NANOS = 1_000_000;
  private static final long FAR_TOO_LONG_NANOS = 600_000_000_000L;

  private final ReplicaCluster sim;

  SimulatedReplicas(long seed) {
    this.sim =
        new ReplicaCluster(
            new ReplicaGroup(3, ReplicaGroup.Faults.CRASH),
            new SplittableRandom(seed),
            OrderedExecution.Config.DEFAULT,
            ReplicaWiring.PRODUCTION);
  }

  @Override
  public ReplicatedLog open(ReplicaId id, StateMachine machine) {
    return sim.open(id, machine);
  }

  @Override
  public void crash(ReplicaId id) {
    sim.crash(id);
  }

  @Override
  public void wipe(ReplicaId id) {
    sim.wipe(id);
  }

  @Override
  public boolean letPass(BooleanSupplier until) {
    ReplicaTimeline timeline = sim.timeline;
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
    return Instant.ofEpochMilli(ReplicaClock.trueMillis(sim.timeline));
  }

  @Override
  public void close() {
    sim.cluster.replicas().forEach(sim::crash);
  }
}
