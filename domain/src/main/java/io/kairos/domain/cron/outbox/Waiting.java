package io.kairos.domain.cron.outbox;

import io.kairos.domain.replica.Cluster;
import io.kairos.domain.replica.ReplicaId;

/**
 * An effect that is not known to be done.
 *
 * @param wantedBy the replicas that have said in the log that they want it, as bits
 * @param doneBy those that have said there that the outside has done it, as bits
 */
public record Waiting(Effect effect, long wantedBy, long doneBy) {
  public EffectId id() {
    return effect.id();
  }

  public boolean isWantedBy(ReplicaId replica) {
    return (wantedBy & bit(replica)) != 0;
  }

  public boolean isDoneBy(ReplicaId replica) {
    return (doneBy & bit(replica)) != 0;
  }

  /** Whether the outside may be asked for it. */
  public boolean mayBeAskedFor(Cluster cluster) {
    return switch (effect.asking()) {
      case EACH -> true;
      case IN_TURN -> Long.bitCount(wantedBy) > cluster.mayFail();
    };
  }

  /** Where replicas only crash, one that says so suffices. */
  boolean isDone(Cluster cluster) {
    return switch (cluster.faults()) {
      case CRASH -> doneBy != 0;
      case BYZANTINE -> Long.bitCount(doneBy) > cluster.mayFail();
    };
  }

  Waiting alsoWantedBy(ReplicaId replica) {
    return new Waiting(effect, wantedBy | bit(replica), doneBy);
  }

  Waiting alsoDoneBy(ReplicaId replica) {
    return new Waiting(effect, wantedBy, doneBy | bit(replica));
  }

  private static long bit(ReplicaId replica) {
    return 1L << replica.number();
  }
}
