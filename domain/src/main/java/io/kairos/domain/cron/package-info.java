/**
 * Cron tables inside a replicated state machine: a tick has equal effects on every replica. Pure:
 * time comes in ticks, state is in reserved pages, and nothing depends on a clock, random numbers,
 * identity or the order of a hash.
 */
@NullMarked
package io.kairos.domain.cron;

import org.jspecify.annotations.NullMarked;
