package io.kairos.engine.cron;

import io.kairos.domain.cron.ComponentId;
import io.kairos.domain.cron.Tick;
import io.kairos.domain.cron.TickEvaluation;
import io.kairos.domain.cron.round.TickVerdict;
import io.kairos.domain.replica.ReplicaId;

/**
 * Observes the execution of ticks, on the log's thread. Not part of the replicated state; must not
 * throw.
 */
public interface TickListener {
  TickListener NONE = new TickListener() {};

  /** A tick was judged; a table may be evaluated next. */
  default void judged(ComponentId component, ReplicaId from, long round, TickVerdict verdict) {}

  /** A tick carried its sender's clock, to be compared with this replica's own clock. */
  default void read(ReplicaId from, long readingMillis) {}

  /** A table was evaluated. */
  default void evaluated(Tick tick, TickEvaluation evaluation) {}
}
