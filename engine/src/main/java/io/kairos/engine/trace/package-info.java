/**
 * Ports for traces: what a node does with tasks, runs and messages whose callers record a trace.
 * Each has a form that wants nothing, for nodes without traces.
 */
@NullMarked
package io.kairos.engine.trace;

import org.jspecify.annotations.NullMarked;
