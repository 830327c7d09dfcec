package io.kairos.engine.schedule.port;

import io.kairos.domain.schedule.definition.ScheduleName;
import java.time.Instant;
import java.util.Collection;

/**
 * The schedules that a replicated cron asks a node to decide.
 *
 * @param upTo the agreed time by which they are due
 * @param limit most schedules
 */
public record NamedFiring(Collection<ScheduleName> names, Instant upTo, int limit) {}
