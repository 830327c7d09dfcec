package io.kairos.domain.cron;

import java.time.Instant;

/** An {@link Action} that is told which of its fire times it acts for. */
@FunctionalInterface
public interface FireAction {
  /**
   * Acts, as {@link Action#run} does.
   *
   * @param fireTime the one that was due, at the tick's time or before it
   */
  void run(Tick tick, Instant fireTime);
}
