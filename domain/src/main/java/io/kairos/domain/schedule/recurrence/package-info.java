/** Recurrence rules of iCalendar (RFC 5545, section 3.3.10), without its rarely used parts. */
@NullMarked
package io.kairos.domain.schedule.recurrence;

import org.jspecify.annotations.NullMarked;
