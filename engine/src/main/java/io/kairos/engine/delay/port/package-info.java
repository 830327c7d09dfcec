/**
 * What the delay queue needs from outside: a store, an input topic, output topics. Every call may
 * fail, and may have had its effect all the same.
 */
@NullMarked
package io.kairos.engine.delay.port;

import org.jspecify.annotations.NullMarked;
