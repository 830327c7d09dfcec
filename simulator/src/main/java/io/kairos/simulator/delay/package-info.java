/** The delay queue in the simulator: its nodes, producers, faults and rules. */
@NullMarked
package io.kairos.simulator.delay;

import org.jspecify.annotations.NullMarked;
