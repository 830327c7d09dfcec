/**
 * Tasks that workers pull (Dropbox ATF): the store consumer, the queues in memory, claims,
 * heartbeats and results. {@link io.kairos.engine.task.TaskNode} puts the steps together.
 */
@NullMarked
package io.kairos.engine.task;

import org.jspecify.annotations.NullMarked;
