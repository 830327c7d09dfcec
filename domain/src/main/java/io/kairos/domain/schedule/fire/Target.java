package io.kairos.domain.schedule.fire;

import io.kairos.domain.delay.RouteId;
import io.kairos.domain.task.CollectionName;
import io.kairos.domain.task.OrderingKey;
import io.kairos.domain.task.QueueName;
import io.kairos.domain.task.RetryPolicy;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What a schedule makes at each fire time. Payloads are opaque and not copied. */
public sealed interface Target {
  /** How large its payload is. */
  int bytes();

  /**
   * A task on the queue of a handler; a pool is one as well.
   *
   * @param retryPolicy null for the handler's
   * @param executionTimeout bound on one attempt; null for none
   * @param key an ordering key of the application; null for none
   * @param collection null for none
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Handler(
      QueueName queue,
      byte[] payload,
      @Nullable RetryPolicy retryPolicy,
      @Nullable Duration executionTimeout,
      @Nullable OrderingKey key,
      @Nullable CollectionName collection)
      implements Target {
    @Override
    public int bytes() {
      return payload.length;
    }
  }

  /**
   * A message on an output topic of the delay queue.
   *
   * @param route the number of a route that may publish to the topic
   * @param key null for none
   * @param headers as {@link io.kairos.domain.delay.HeaderCodec} writes them
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Topic(RouteId route, String topic, byte @Nullable [] key, byte[] value, byte[] headers)
      implements Target {
    @Override
    public int bytes() {
      return value.length + headers.length + (key == null ? 0 : key.length);
    }
  }
}
