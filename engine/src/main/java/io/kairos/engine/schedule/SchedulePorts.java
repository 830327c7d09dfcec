package io.kairos.engine.schedule;

import io.kairos.domain.schedule.definition.ScheduleId;
import io.kairos.engine.loop.WakeupFactory;
import io.kairos.engine.schedule.port.ScheduleStore;
import io.kairos.engine.time.MonotonicClock;
import java.util.function.Supplier;

/**
 * Ports of a node's schedules, except those of its tasks.
 *
 * @param newId new ids for schedules and requests
 * @param timeZoneRules version of this process's time zone rules
 */
public record SchedulePorts(
    ScheduleStore schedules,
    MonotonicClock monotonic,
    WakeupFactory wakeups,
    Supplier<ScheduleId> newId,
    ScheduleEvents events,
    String timeZoneRules) {}
