package io.kairos.domain.schedule.definition;

import static java.util.Objects.requireNonNull;

import java.util.UUID;

/**
 * Identity of a schedule, given at its creation. A later schedule of the same name has another id,
 * so that the two share no execution id.
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
