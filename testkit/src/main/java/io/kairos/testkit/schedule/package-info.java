/** The model of the schedule store, and what it and every real one must pass. */
@NullMarked
package io.kairos.testkit.schedule;

import org.jspecify.annotations.NullMarked;
