package io.kairos.simulator.replica;

import io.kairos.domain.cron.outbox.Effect;
import io.kairos.domain.cron.outbox.Outbox;
import io.kairos.domain.replica.ReplicaId;
import io.kairos.engine.replica.ClientId;
import io.kairos.engine.replica.ReplicasParted;
import io.kairos.engine.replica.Submitted;
import java.time.Duration;

/** Sees what logs do. */
interface SimWitness {
  SimWitness NONE = new SimWitness() {};

  /** A replica executed an entry of the order, or found that it had been. */
  default void executed(SimLog log, long index, Submitted result, boolean isNew) {}

  /** A replica's state was replaced by a snapshot, while it ran. */
  default void installed(SimLog log) {}

  /** A replica has stopped: it has found its state to be another one than that of the others. */
  default void stopped(SimLog log, ReplicasParted parted) {}

  /**
   * A replica asks the outside for an effect.
   *
   * @param outbox of that replica
   * @param behind how old its state is; zero if this life of it has asked before
   */
  default void asked(Effect effect, ReplicaId asker, Outbox outbox, Duration behind) {}

  /** Something rare has happened. */
  default void reached(ReplicaRareState state) {}

  /** A replica has taken a request into its queue. */
  default void queued(SimLog log, ClientId client, long request) {}
}
