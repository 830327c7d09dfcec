/** The suite that every replicated log passes, simulated or real. */
@NullMarked
package io.kairos.testkit.replica;

import org.jspecify.annotations.NullMarked;
