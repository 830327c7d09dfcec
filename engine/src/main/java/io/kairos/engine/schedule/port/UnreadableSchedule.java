package io.kairos.engine.schedule.port;

import io.kairos.domain.schedule.definition.ScheduleName;

/**
 * This version cannot read a stored schedule, perhaps because a newer version has written it. The
 * schedule can still be removed.
 */
public final class UnreadableSchedule extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public UnreadableSchedule(ScheduleName schedule, RuntimeException why) {
    super("the schedule " + schedule + " cannot be read by this version: " + why.getMessage(), why);
  }
}
