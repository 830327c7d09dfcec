/**
 * Rounds of ticks: in each round f+1 replicas have their turn. Rounds are kept in the replicated
 * state, so that neither a clock nor a leader decides.
 */
@NullMarked
package io.kairos.domain.cron.round;

import org.jspecify.annotations.NullMarked;
