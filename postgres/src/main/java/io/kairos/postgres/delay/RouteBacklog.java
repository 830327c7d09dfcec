package io.kairos.postgres.delay;

import java.util.OptionalLong;

/**
 * The stored messages of a route.
 *
 * @param pending their number, counted to 10,001
 * @param firstWaitingMicros due time of the one that would be claimed first, in microseconds; empty
 *     when none waits to be claimed
 */
public record RouteBacklog(int pending, OptionalLong firstWaitingMicros) {}
