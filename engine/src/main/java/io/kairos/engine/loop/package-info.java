/**
 * Activities as steps: one bounded round each, driven by threads in production and by a virtual
 * clock in the simulator.
 */
@NullMarked
package io.kairos.engine.loop;

import org.jspecify.annotations.NullMarked;
