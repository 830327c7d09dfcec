/** Business calendars: named calendars of open hours, and their use by rules. */
@NullMarked
package io.kairos.domain.schedule.calendar;

import org.jspecify.annotations.NullMarked;
