/** Calls about schedules and business calendars. */
@NullMarked
package io.kairos.edge.schedule;

import org.jspecify.annotations.NullMarked;
