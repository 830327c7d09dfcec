package io.kairos.client.queue;

import org.jspecify.annotations.Nullable;

/**
 * The limits of a queue, which has the tasks of one handler at one priority, over all nodes.
 *
 * @param maxRunning maximum number of concurrent tasks; null for no limit
 * @param perSecond maximum number of tasks that begin per second; null for no limit
 * @param burst maximum number of tasks that begin at once after a pause; null for the rate per
 *     second
 * @param running number of tasks that run now; 0 when the queue has no limits
 */
public record QueueLimit(
    String handler,
    int priority,
    @Nullable Integer maxRunning,
    @Nullable Double perSecond,
    @Nullable Integer burst,
    int running) {}
