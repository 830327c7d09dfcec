/** Ports of the schedule engine. */
@NullMarked
package io.kairos.engine.schedule.port;

import org.jspecify.annotations.NullMarked;
