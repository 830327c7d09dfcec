/**
 * The port of replication: a log that gives equal requests in one order to every replica, the state
 * machine that executes them, and code that all implementations of the log share.
 */
@NullMarked
package io.kairos.engine.replica;

import org.jspecify.annotations.NullMarked;
