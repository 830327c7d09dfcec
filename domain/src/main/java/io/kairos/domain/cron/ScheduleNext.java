package io.kairos.domain.cron;

/** Notes when an entry is due again. Runs before its action (CC-4). */
@FunctionalInterface
public interface ScheduleNext {
  void schedule(Tick tick);
}
