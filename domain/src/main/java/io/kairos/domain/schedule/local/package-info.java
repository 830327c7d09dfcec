/**
 * Time on a clock on the wall, without zones: days, times of day and rules over them. A local
 * second is a number of seconds since 1970-01-01T00:00 on that clock.
 */
@NullMarked
package io.kairos.domain.schedule.local;

import org.jspecify.annotations.NullMarked;
