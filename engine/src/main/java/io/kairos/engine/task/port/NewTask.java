package io.kairos.engine.task.port;

import io.kairos.domain.schedule.fire.ScheduleId;
import io.kairos.domain.task.CollectionName;
import io.kairos.domain.task.OrderingKey;
import io.kairos.domain.task.QueueId;
import io.kairos.domain.task.RetryPolicy;
import io.kairos.domain.task.TaskId;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A task on its way into the store.
 *
 * @param dueMicros microseconds since 1970
 * @param payload opaque; not copied
 * @param retryPolicy null for the handler's
 * @param executionTimeout bound on one attempt; null for none
 * @param traceparent W3C trace context of whoever scheduled it
 * @param key what it must not overtake others of; null for nothing
 * @param collection null for none
 * @param startDeadlineMicros no attempt begins after it; null for no such bound
 * @param schedule that made it; null for none
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record NewTask(
    TaskId id,
    QueueId queue,
    long dueMicros,
    byte[] payload,
    @Nullable RetryPolicy retryPolicy,
    @Nullable Duration executionTimeout,
    @Nullable String traceparent,
    @Nullable OrderingKey key,
    @Nullable CollectionName collection,
    @Nullable Long startDeadlineMicros,
    @Nullable ScheduleId schedule) {
  /** One that no schedule has made. */
  public NewTask(
      TaskId id,
      QueueId queue,
      long dueMicros,
      byte[] payload,
      @Nullable RetryPolicy retryPolicy,
      @Nullable Duration executionTimeout,
      @Nullable String traceparent,
      @Nullable OrderingKey key,
      @Nullable CollectionName collection,
      @Nullable Long startDeadlineMicros) {
    this(
        id,
        queue,
        dueMicros,
        payload,
        retryPolicy,
        executionTimeout,
        traceparent,
        key,
        collection,
        startDeadlineMicros,
        null);
  }

  /** One without key, collection and start deadline, as most are. */
  public NewTask(
      TaskId id,
      QueueId queue,
      long dueMicros,
      byte[] payload,
      @Nullable RetryPolicy retryPolicy,
      @Nullable Duration executionTimeout,
      @Nullable String traceparent) {
    this(
        id,
        queue,
        dueMicros,
        payload,
        retryPolicy,
        executionTimeout,
        traceparent,
        null,
        null,
        null);
  }
}
