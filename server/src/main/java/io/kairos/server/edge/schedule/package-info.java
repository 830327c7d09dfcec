/** Calls about schedules and business calendars. */
@NullMarked
package io.kairos.server.edge.schedule;

import org.jspecify.annotations.NullMarked;
