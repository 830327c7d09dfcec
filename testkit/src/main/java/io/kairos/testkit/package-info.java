/** Fakes, the contract suites every adapter must pass, and the simulator with its checkers. */
@NullMarked
package io.kairos.testkit;

import org.jspecify.annotations.NullMarked;
