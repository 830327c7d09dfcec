package io.kairos.engine.task;

import io.kairos.domain.task.CollectionName;
import io.kairos.domain.task.FencedTask;
import io.kairos.domain.task.OrderingKey;
import io.kairos.domain.task.QueueName;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A task that is claimed for a worker.
 *
 * @param attempt counted from 1
 * @param payload opaque; not copied
 * @param executionTimeout bound on this attempt; null for none
 * @param key null for none
 * @param collection null for none
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Work(
    FencedTask task,
    QueueName queue,
    int attempt,
    long dueMicros,
    byte[] payload,
    @Nullable Duration executionTimeout,
    @Nullable String traceparent,
    @Nullable OrderingKey key,
    @Nullable CollectionName collection) {}
