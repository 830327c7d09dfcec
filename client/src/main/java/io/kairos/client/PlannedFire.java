package io.kairos.client;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A fire time to come.
 *
 * @param localTime the same in the schedule's zone, such as {@code
 *     2030-01-31T12:00+01:00[Europe/Berlin]}
 * @param runAt when its task is due: the fire time and what the spread adds
 * @param skipped why it will not fire; null when it will
 */
public record PlannedFire(
    Instant fireTime, String localTime, Instant runAt, Fire.@Nullable Reason skipped) {}
