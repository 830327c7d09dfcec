/**
 * Ports of the delay queue: store, input topic, output topics. Every call may fail, and a failed
 * call may have taken effect.
 */
@NullMarked
package io.kairos.engine.delay.port;

import org.jspecify.annotations.NullMarked;
