/**
 * The port of everything that is replicated: a log that gives the same requests in the same order
 * to every replica, the state machine that executes them, and what all such logs share.
 */
@NullMarked
package io.kairos.engine.replica;

import org.jspecify.annotations.NullMarked;
