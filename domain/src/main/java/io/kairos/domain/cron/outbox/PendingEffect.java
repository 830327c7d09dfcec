package io.kairos.domain.cron.outbox;

import io.kairos.domain.replica.ReplicaGroup;
import io.kairos.domain.replica.ReplicaId;

/**
 * An effect that is not known to be done.
 *
 * @param wantedBy the replicas that have said in the log that they want it, as bits
 * @param doneBy the replicas that have said there that it is done, as bits
 */
public record PendingEffect(Effect effect, long wantedBy, long doneBy) {
  public EffectId id() {
    return effect.id();
  }

  public boolean isDoneBy(ReplicaId replica) {
    return (doneBy & replica.bit()) != 0;
  }

  /** Returns true if replicas may request the effect from its receiver. */
  public boolean mayBeAskedFor(ReplicaGroup cluster) {
    return switch (effect.asking()) {
      case EACH -> true;
      case IN_TURN -> Long.bitCount(wantedBy) > cluster.mayFail();
    };
  }

  /** Returns true if enough replicas say so; one suffices where replicas only crash. */
  boolean isDone(ReplicaGroup cluster) {
    return switch (cluster.faults()) {
      case CRASH -> doneBy != 0;
      case BYZANTINE -> Long.bitCount(doneBy) > cluster.mayFail();
    };
  }

  PendingEffect alsoWantedBy(ReplicaId replica) {
    return new PendingEffect(effect, wantedBy | replica.bit(), doneBy);
  }

  PendingEffect alsoDoneBy(ReplicaId replica) {
    return new PendingEffect(effect, wantedBy, doneBy | replica.bit());
  }
}
