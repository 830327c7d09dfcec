package io.kairos.client;

import org.jspecify.annotations.Nullable;

/**
 * How the tasks of one ordering key run beside each other; the same for all keys of a handler.
 *
 * @param maxRunning up to so many at a time, in no order; null for one at a time, in the order of
 *     their due times
 * @param blocksWhenDead whether nothing of an ordered key begins after its head has failed for
 *     good, until the head is skipped or tried again
 * @param perSecond beginning in a second; null for as many as can
 * @param burst beginning at once after a pause; null without {@code perSecond}
 */
public record KeyPolicy(
    @Nullable Integer maxRunning,
    boolean blocksWhenDead,
    @Nullable Double perSecond,
    @Nullable Integer burst) {}
