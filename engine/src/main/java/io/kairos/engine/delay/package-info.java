/**
 * The delay queue: intake, claim, fire, settle, amend, and what finds and repairs the work of
 * failed nodes. {@link io.kairos.engine.delay.DelayNode} assembles the steps; the ports are in
 * {@code port}.
 */
@NullMarked
package io.kairos.engine.delay;

import org.jspecify.annotations.NullMarked;
