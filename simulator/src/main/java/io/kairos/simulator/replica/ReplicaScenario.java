package io.kairos.simulator.replica;

import io.kairos.domain.replica.ReplicaGroup;
import io.kairos.domain.replica.ReplicaGroup.Faults;
import java.util.SplittableRandom;

/**
 * The parameters of one simulation, drawn from its seed.
 *
 * @param wrongClocks number of replicas with a wrong clock
 * @param floods true if these replicas also send too many ticks
 */
record ReplicaScenario(ReplicaGroup cluster, int wrongClocks, boolean floods) {
  private static final long MINUTE_NANOS = 60_000_000_000L;

  /** Faults end here. */
  static final long HEAL_AT_NANOS = 50 * MINUTE_NANOS;

  /** Time from which nothing is late. */
  static final long CALM_AT_NANOS = 52 * MINUTE_NANOS;

  /** Clients and ticks end here. */
  static final long STOP_AT_NANOS = 59 * MINUTE_NANOS;

  static final long END_AT_NANOS = 60 * MINUTE_NANOS;

  static ReplicaScenario draw(SplittableRandom random) {
    ReplicaGroup[] clusters = {
      new ReplicaGroup(3, Faults.CRASH),
      new ReplicaGroup(3, Faults.CRASH),
      new ReplicaGroup(5, Faults.CRASH),
      new ReplicaGroup(4, Faults.BYZANTINE),
      new ReplicaGroup(4, Faults.BYZANTINE),
      new ReplicaGroup(7, Faults.BYZANTINE)
    };
    ReplicaGroup cluster = clusters[random.nextInt(clusters.length)];
    boolean lies = random.nextInt(2) == 0;
    boolean byzantine = cluster.faults() == Faults.BYZANTINE;
    int wrong = !lies ? 0 : byzantine ? cluster.mayFail() : 1;
    return new ReplicaScenario(cluster, wrong, byzantine && lies);
  }
}
