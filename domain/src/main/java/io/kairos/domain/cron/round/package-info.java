/**
 * Who ticks when: rounds of ticks in which one more replica than may fail has its turn (CC-F1),
 * kept in the replicated state, so that neither a clock nor a leader decides.
 */
@NullMarked
package io.kairos.domain.cron.round;

import org.jspecify.annotations.NullMarked;
