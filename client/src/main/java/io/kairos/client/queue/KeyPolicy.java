package io.kairos.client.queue;

import org.jspecify.annotations.Nullable;

/**
 * Order and concurrency of tasks with the same ordering key; one policy applies to all keys of a
 * handler.
 *
 * @param maxRunning maximum number of concurrent tasks, in no order; null for one at a time, in the
 *     order of their due times
 * @param blocksWhenDead true when no task of an ordered key begins after its head has failed for
 *     good, until the head is skipped or retried
 * @param perSecond maximum number of tasks that begin per second; null for no limit
 * @param burst maximum number of tasks that begin at once after a pause; null without {@code
 *     perSecond}
 */
public record KeyPolicy(
    @Nullable Integer maxRunning,
    boolean blocksWhenDead,
    @Nullable Double perSecond,
    @Nullable Integer burst) {}
