/**
 * Replicated cron (ccron): the state machine that evaluates cron tables at ticks, and the generator
 * that sends these (CC-13 to CC-21, CC-33 to CC-43).
 */
@NullMarked
package io.kairos.engine.cron;

import org.jspecify.annotations.NullMarked;
