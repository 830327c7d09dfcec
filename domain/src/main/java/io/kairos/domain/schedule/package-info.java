/**
 * When a schedule fires (PH-37 to PH-41): patterns of times, the wall clock of a zone with its
 * changes, bounds, calendars and spread. Pure: no clock, no chance, no state.
 */
@NullMarked
package io.kairos.domain.schedule;

import org.jspecify.annotations.NullMarked;
