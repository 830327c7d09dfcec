package io.kairos.domain.cron;

import java.time.Instant;

/** A {@link CronAction} that gets the fire time for which it runs. */
@FunctionalInterface
public interface FireAction {
  /**
   * Runs as {@link CronAction#run} does.
   *
   * @param fireTime the fire time that was due, at the tick's time or before it
   */
  void run(Tick tick, Instant fireTime);
}
