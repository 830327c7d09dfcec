/** What the schedule engine needs from outside. */
@NullMarked
package io.kairos.engine.schedule.port;

import org.jspecify.annotations.NullMarked;
