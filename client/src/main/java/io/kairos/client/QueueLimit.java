package io.kairos.client;

import org.jspecify.annotations.Nullable;

/**
 * How much of the tasks of one handler at one priority may go on, over all nodes.
 *
 * @param maxRunning at a time; null for as many as workers can
 * @param perSecond beginning in a second; null for as many as can
 * @param burst beginning at once after a pause; null for what a second allows
 * @param running now; 0 when the queue is not limited
 */
public record QueueLimit(
    String handler,
    int priority,
    @Nullable Integer maxRunning,
    @Nullable Double perSecond,
    @Nullable Integer burst,
    int running) {}
