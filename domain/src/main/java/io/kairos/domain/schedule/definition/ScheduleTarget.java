package io.kairos.domain.schedule.definition;

import io.kairos.domain.delay.RouteId;
import io.kairos.domain.pool.PushRequest;
import io.kairos.domain.task.TaskDetails;
import io.kairos.domain.task.queue.PoolName;
import io.kairos.domain.task.queue.QueueName;
import io.kairos.domain.task.queue.TopicName;
import org.jspecify.annotations.Nullable;

/**
 * The task or message that a schedule makes at each fire time. Payloads are opaque and not copied.
 */
public sealed interface ScheduleTarget {
  /** Returns the size of its payload. */
  int bytes();

  /** The same with an empty payload; for a pool with a request that has an empty body. */
  ScheduleTarget withoutPayload();

  /**
   * A task for workers or for a pool.
   *
   * @param details of each task, without a start deadline, which each fire has of its own, and
   *     without a trace
   */
  record Handler(QueueName queue, TaskDetails details) implements ScheduleTarget {
    @Override
    public int bytes() {
      return details.bytes();
    }

    @Override
    public Handler withoutPayload() {
      return new Handler(
          queue,
          details.withPayload(
              queue.handler() instanceof PoolName
                  ? PushRequest.withoutBody(details.payload())
                  : new byte[0]));
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
  record Topic(RouteId route, TopicName topic, byte @Nullable [] key, byte[] value, byte[] headers)
      implements ScheduleTarget {
    @Override
    public int bytes() {
      return value.length + headers.length + (key == null ? 0 : key.length);
    }

    @Override
    public Topic withoutPayload() {
      return new Topic(route, topic, key, new byte[0], headers);
    }
  }
}
