package io.kairos.client.schedule;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A future fire time.
 *
 * @param localTime the fire time in the schedule's time zone, such as {@code
 *     2030-01-31T12:00+01:00[Europe/Berlin]}
 * @param runAt when the task is due: the fire time plus the jitter of the spread
 * @param skipped why the fire time will be skipped; null when it will fire
 * @param movedFrom the local time that the rule names when clocks go forward over it, so that it
 *     fires at the end of the gap; else null
 */
public record PlannedFire(
    Instant fireTime,
    String localTime,
    Instant runAt,
    Fire.@Nullable Reason skipped,
    @Nullable String movedFrom) {}
