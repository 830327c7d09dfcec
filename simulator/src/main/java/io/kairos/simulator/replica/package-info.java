/**
 * Simulation of replicated cron: replicas in one thread on a virtual clock, with faults drawn from
 * a seed and a judge that knows the rules.
 */
@NullMarked
package io.kairos.simulator.replica;

import org.jspecify.annotations.NullMarked;
