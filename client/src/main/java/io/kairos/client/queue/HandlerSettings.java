package io.kairos.client.queue;

import io.kairos.client.task.RetryPolicy;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a handler, which hold on all nodes.
 *
 * @param retryPolicy retry policy of tasks that were scheduled without one; none of its fields is
 *     null
 * @param maxUnfinished quota: maximum number of unfinished tasks; null for no quota
 */
public record HandlerSettings(
    String handler, RetryPolicy retryPolicy, @Nullable Long maxUnfinished, KeyPolicy keyPolicy) {}
