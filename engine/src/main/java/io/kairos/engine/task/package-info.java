/**
 * Tasks that workers pull, after Dropbox's Asynchronous Task Framework (ATF): the store consumer,
 * claims, heartbeats and results. {@link io.kairos.engine.task.TaskNode} assembles the steps.
 */
@NullMarked
package io.kairos.engine.task;

import org.jspecify.annotations.NullMarked;
