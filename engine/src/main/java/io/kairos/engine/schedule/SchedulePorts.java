package io.kairos.engine.schedule;

import io.kairos.domain.schedule.fire.ScheduleId;
import io.kairos.engine.loop.Wakeups;
import io.kairos.engine.schedule.port.ScheduleStore;
import io.kairos.engine.time.Monotonic;
import java.util.function.Supplier;

/**
 * Everything that the schedules of a node need from outside, beside its tasks.
 *
 * @param newId a fresh id for a schedule, or a request
 * @param timeZoneRules the version of the rules of time zones that this process has
 */
public record SchedulePorts(
    ScheduleStore schedules,
    Monotonic monotonic,
    Wakeups wakeups,
    Supplier<ScheduleId> newId,
    ScheduleEvents events,
    String timeZoneRules) {}
