package io.kairos.client;

import org.jspecify.annotations.Nullable;

/**
 * What holds for the tasks of a handler, on all nodes.
 *
 * @param retryPolicy of tasks that were scheduled without one; nothing in it is null
 * @param maxUnfinished how many unfinished tasks it may have; null for any number
 */
public record HandlerSettings(
    String handler, RetryPolicy retryPolicy, @Nullable Long maxUnfinished, KeyPolicy keyPolicy) {}
