/** Types of calls about schedules and calendars. */
@NullMarked
package io.kairos.client.schedule;

import org.jspecify.annotations.NullMarked;
