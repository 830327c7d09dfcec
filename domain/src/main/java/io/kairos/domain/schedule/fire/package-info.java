/** The decisions on the fire times of a schedule. */
@NullMarked
package io.kairos.domain.schedule.fire;

import org.jspecify.annotations.NullMarked;
