/** Tasks in the simulator: their nodes, the real workers, callers, faults and rules. */
@NullMarked
package io.kairos.simulator.task;

import org.jspecify.annotations.NullMarked;
