/** Recurrence rules of iCalendar (RFC 5545, section 3.3.10), the part of them that is in use. */
@NullMarked
package io.kairos.domain.schedule.recurrence;

import org.jspecify.annotations.NullMarked;
