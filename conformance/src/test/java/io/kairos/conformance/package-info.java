/**
 * The conformance kit: black-box cases that a worker in any language passes, run against real nodes
 * and against a scripted one. {@code docs/conformance.md} says how to have a worker judged by it.
 */
@NullMarked
package io.kairos.conformance;

import org.jspecify.annotations.NullMarked;
