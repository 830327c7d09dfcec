/** Stored schedules: their definitions and their progress. */
@NullMarked
package io.kairos.domain.schedule.definition;

import org.jspecify.annotations.NullMarked;
