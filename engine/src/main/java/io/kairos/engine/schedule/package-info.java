/** Schedules: decides due fire times and makes tasks and messages of them. */
@NullMarked
package io.kairos.engine.schedule;

import org.jspecify.annotations.NullMarked;
