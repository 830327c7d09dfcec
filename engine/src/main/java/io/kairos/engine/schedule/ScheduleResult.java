package io.kairos.engine.schedule;

import io.kairos.domain.schedule.definition.Schedule;

/** The result of a request to change a schedule. */
public sealed interface ScheduleResult {
  /** The change is stored. */
  record Done(Schedule schedule) implements ScheduleResult {}

  /** There is no such schedule. */
  record Unknown() implements ScheduleResult {}

  /** Another schedule has the name. */
  record NameTaken() implements ScheduleResult {}

  /** The schedule has another generation; nothing was done. */
  record Changed(long generation) implements ScheduleResult {}

  /** The schedule would never fire; nothing was done. */
  record NeverFires() implements ScheduleResult {}
}
