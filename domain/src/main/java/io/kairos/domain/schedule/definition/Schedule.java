package io.kairos.domain.schedule.definition;

import java.time.Instant;

/**
 * A stored schedule.
 *
 * @param generation raised by every change of the definition
 */
public record Schedule(
    ScheduleId id,
    ScheduleName name,
    ScheduleDefinition definition,
    long generation,
    Instant createdAt,
    Instant updatedAt,
    ScheduleProgress progress) {
  /** The same with an empty payload, as it is in a list. */
  public Schedule withoutPayload() {
    return new Schedule(
        id, name, definition.withoutPayload(), generation, createdAt, updatedAt, progress);
  }

  public Schedule with(ScheduleProgress newProgress) {
    return new Schedule(id, name, definition, generation, createdAt, updatedAt, newProgress);
  }

  public Schedule with(
      ScheduleDefinition newDefinition, Instant now, ScheduleProgress newProgress) {
    return new Schedule(id, name, newDefinition, generation + 1, createdAt, now, newProgress);
  }
}
