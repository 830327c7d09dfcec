/** The model of the schedule store. */
@NullMarked
package io.kairos.model.schedule;

import org.jspecify.annotations.NullMarked;
