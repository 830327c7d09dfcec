package io.kairos.engine.schedule.port;

import io.kairos.domain.schedule.definition.Schedule;
import io.kairos.domain.schedule.definition.ScheduleId;
import io.kairos.domain.schedule.definition.ScheduleName;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of a list of schedules.
 *
 * @param schedules in the order of their names, without payloads
 * @param lookedTo the last one that was looked at, when the page ends because many others had to be
 *     passed over; null when it does not
 */
public record ScheduleListing(List<Schedule> schedules, @Nullable Place lookedTo) {
  public ScheduleListing {
    schedules = List.copyOf(schedules);
  }

  /** A schedule, which may be one that the query does not want. */
  public record Place(ScheduleId id, ScheduleName name) {}
}
