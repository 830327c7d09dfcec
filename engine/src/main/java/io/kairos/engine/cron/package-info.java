/**
 * Replicated cron: the state machine that evaluates cron tables at ticks, and the generator that
 * sends the ticks.
 */
@NullMarked
package io.kairos.engine.cron;

import org.jspecify.annotations.NullMarked;
