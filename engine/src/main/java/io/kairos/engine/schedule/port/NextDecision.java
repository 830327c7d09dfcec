package io.kairos.engine.schedule.port;

import io.kairos.domain.schedule.definition.ScheduleDecider;
import io.kairos.domain.schedule.definition.ScheduleName;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The decider of a schedule and the time of its next decision.
 *
 * @param nextAt the time of the next decision; null when the schedule does not fire
 */
public record NextDecision(ScheduleName name, ScheduleDecider decider, @Nullable Instant nextAt) {}
