package io.kairos.engine.schedule;

import io.kairos.domain.schedule.fire.Schedule;

/** What became of a wish to change a schedule. */
public sealed interface ScheduleResult {
  /** Done. */
  record Done(Schedule schedule) implements ScheduleResult {}

  /** There is no such schedule. */
  record Unknown() implements ScheduleResult {}

  /** Another one has the name. */
  record NameTaken() implements ScheduleResult {}

  /** It has been changed since; nothing was done. */
  record Changed(long generation) implements ScheduleResult {}

  /** It would not fire even once; nothing was done. */
  record NeverFires() implements ScheduleResult {}
}
