/**
 * The virtual clock, the fibers that run on it one at a time, the faults of a cluster, and the
 * history that checkers judge.
 */
@NullMarked
package io.kairos.simulator.kernel;

import org.jspecify.annotations.NullMarked;
