package io.kairos.simulator.replica;

import io.kairos.domain.cron.outbox.Effect;
import io.kairos.domain.cron.outbox.EffectOutbox;
import io.kairos.domain.replica.ReplicaId;
import io.kairos.engine.replica.ClientId;
import io.kairos.engine.replica.ReplicasDivergedException;
import io.kairos.engine.replica.SubmissionResult;
import io.kairos.simulator.kernel.RareState;
import java.time.Duration;

/** Observes the events of logs. */
interface ReplicaLogObserver {
  ReplicaLogObserver NONE = new ReplicaLogObserver() {};

  /** A replica executed an entry of the order, or found that it had been. */
  default void executed(ReplicaLog log, long index, SubmissionResult result, boolean isNew) {}

  /** A replica's state was replaced by a snapshot, while it ran. */
  default void installed(ReplicaLog log) {}

  /** A replica has stopped: it has found its state to be another one than that of the others. */
  default void stopped(ReplicaLog log, ReplicasDivergedException diverged) {}

  /**
   * A replica asks the outside for an effect.
   *
   * @param outbox of that replica
   * @param behind how old its state is; zero if this life of it has asked before
   */
  default void asked(Effect effect, ReplicaId asker, EffectOutbox outbox, Duration behind) {}

  /** Something rare has happened. */
  default void reached(RareState state) {}

  /** A replica has taken a request into its queue. */
  default void queued(ReplicaLog log, ClientId client, long request) {}
}
