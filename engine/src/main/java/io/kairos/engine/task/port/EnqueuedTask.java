package io.kairos.engine.task.port;

import io.kairos.domain.task.CollectionName;
import io.kairos.domain.task.FencedTask;
import io.kairos.domain.task.KeyId;
import io.kairos.domain.task.OrderingKey;
import io.kairos.domain.task.QueueId;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A task on its queue, in the memory of the node that enqueued it.
 *
 * @param dueMicros when it was scheduled for
 * @param triggerMicros when it may be handed out: the due time, or that of its retry
 * @param attempt attempts that were begun so far
 * @param payload opaque; not copied
 * @param executionTimeout bound on one attempt; null for none
 * @param keyId the number of its ordering key; null when it has none
 * @param key null when it has none
 * @param collection null when it belongs to none
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record EnqueuedTask(
    FencedTask task,
    QueueId queue,
    long dueMicros,
    long triggerMicros,
    int attempt,
    byte[] payload,
    @Nullable Duration executionTimeout,
    @Nullable String traceparent,
    @Nullable KeyId keyId,
    @Nullable OrderingKey key,
    @Nullable CollectionName collection) {}
