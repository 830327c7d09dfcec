/**
 * The rules by which schedules fire: patterns of times, zones with daylight saving time, bounds,
 * calendars and spread. Pure: no clock, no random numbers, no state.
 */
@NullMarked
package io.kairos.domain.schedule;

import org.jspecify.annotations.NullMarked;
