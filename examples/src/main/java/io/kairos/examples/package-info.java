/**
 * Code to copy: what an application needs to talk to the delay queue. Run against a node in this
 * module's tests.
 */
@NullMarked
package io.kairos.examples;

import org.jspecify.annotations.NullMarked;
