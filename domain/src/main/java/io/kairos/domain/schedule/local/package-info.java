/**
 * Local time without zones: days, times of day and rules over them. A local second is a number of
 * seconds since 1970-01-01T00:00 on the wall clock.
 */
@NullMarked
package io.kairos.domain.schedule.local;

import org.jspecify.annotations.NullMarked;
