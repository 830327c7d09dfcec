/**
 * The delay queue: the steps that accept, claim, fire, settle and amend messages, and take over
 * those of failed nodes. {@link io.kairos.engine.delay.DelayNode} assembles the steps; the ports
 * are in {@code port}.
 */
@NullMarked
package io.kairos.engine.delay;

import org.jspecify.annotations.NullMarked;
