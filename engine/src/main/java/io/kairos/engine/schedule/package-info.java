/** Schedules: what is due is decided, and tasks and messages are made of it. */
@NullMarked
package io.kairos.engine.schedule;

import org.jspecify.annotations.NullMarked;
