package io.kairos.domain.schedule.fire;

import static java.util.Objects.requireNonNull;

import java.util.UUID;

/**
 * Identity of a schedule, given at its creation: another schedule that takes its name later has
 * another, so that the two share no execution id.
 */
public record ScheduleId(UUID value) {
  public ScheduleId {
    requireNonNull(value, "value");
  }

  @Override
  public String toString() {
    return value.toString();
  }
}
