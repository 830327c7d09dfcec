package io.kairos.engine.schedule.port;

import io.kairos.domain.schedule.fire.DecidedBy;
import io.kairos.domain.schedule.fire.ScheduleName;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Who decides a schedule, and when.
 *
 * @param nextAt when it wants to be looked at; null when it does not fire
 */
public record Standing(ScheduleName name, DecidedBy decider, @Nullable Instant nextAt) {}
