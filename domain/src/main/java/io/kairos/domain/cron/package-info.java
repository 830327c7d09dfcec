/**
 * Cron tables inside a replicated state machine (CC-1 to CC-32): what ticks make of them is the
 * same on every replica. Pure: time comes in ticks, what lasts is in reserved pages, and nothing
 * here depends on a clock, chance, identity or the order of a hash.
 */
@NullMarked
package io.kairos.domain.cron;

import org.jspecify.annotations.NullMarked;
