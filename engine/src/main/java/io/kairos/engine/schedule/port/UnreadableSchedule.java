package io.kairos.engine.schedule.port;

import io.kairos.domain.schedule.fire.ScheduleName;

/**
 * A stored schedule means nothing to this version, perhaps because a newer one has written it. It
 * can be removed all the same.
 */
public final class UnreadableSchedule extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public UnreadableSchedule(ScheduleName schedule, RuntimeException why) {
    super("the schedule " + schedule + " cannot be read by this version: " + why.getMessage(), why);
  }
}
