/**
 * Replicated cron under test: a log whose replicas live in one thread on a virtual clock, with
 * everything that can go wrong between them, drawn from a seed; and a simulated cluster that is
 * judged by rules.
 */
@NullMarked
package io.kairos.simulator.replica;

import org.jspecify.annotations.NullMarked;
