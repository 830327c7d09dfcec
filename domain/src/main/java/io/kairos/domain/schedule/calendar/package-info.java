/** Business calendars: named values that say when work is done, and how rules use them. */
@NullMarked
package io.kairos.domain.schedule.calendar;

import org.jspecify.annotations.NullMarked;
