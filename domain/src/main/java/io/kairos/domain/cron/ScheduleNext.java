package io.kairos.domain.cron;

/** Notes the next time of an entry. Runs before its action (CC-4). */
@FunctionalInterface
public interface ScheduleNext {
  void schedule(Tick tick);
}
