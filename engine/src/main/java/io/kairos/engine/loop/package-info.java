/**
 * Activities as steps of bounded rounds, driven by threads in production and by a virtual clock in
 * the simulator.
 */
@NullMarked
package io.kairos.engine.loop;

import org.jspecify.annotations.NullMarked;
