package io.kairos.domain.schedule.fire;

import java.time.Instant;

/**
 * A stored schedule.
 *
 * @param generation raised by every change of the definition
 */
public record Schedule(
    ScheduleId id,
    ScheduleName name,
    Definition definition,
    long generation,
    Instant createdAt,
    Instant updatedAt,
    Progress progress) {
  public Schedule with(Progress newProgress) {
    return new Schedule(id, name, definition, generation, createdAt, updatedAt, newProgress);
  }

  Schedule with(Definition newDefinition, Instant now, Progress newProgress) {
    return new Schedule(id, name, newDefinition, generation + 1, createdAt, now, newProgress);
  }
}
