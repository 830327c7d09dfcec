package io.kairos.engine.schedule;

import io.kairos.domain.schedule.definition.ScheduleId;
import io.kairos.engine.loop.WakeupFactory;
import io.kairos.engine.schedule.port.ScheduleStore;
import io.kairos.engine.time.MonotonicClock;
import io.kairos.engine.trace.RunSpans;
import java.util.function.Supplier;

/**
 * Ports of a node's schedules, except those of its tasks.
 *
 * @param newId new ids for schedules and requests
 * @param timeZoneRules version of this process's time zone rules
 * @param spans {@link RunSpans#NONE} for nodes without traces
 */
public record SchedulePorts(
    ScheduleStore schedules,
    MonotonicClock monotonic,
    WakeupFactory wakeups,
    Supplier<ScheduleId> newId,
    ScheduleEvents events,
    String timeZoneRules,
    RunSpans spans) {
  /** Ports of a node without traces. */
  public SchedulePorts(
      ScheduleStore schedules,
      MonotonicClock monotonic,
      WakeupFactory wakeups,
      Supplier<ScheduleId> newId,
      ScheduleEvents events,
      String timeZoneRules) {
    this(schedules, monotonic, wakeups, newId, events, timeZoneRules, RunSpans.NONE);
  }
}
