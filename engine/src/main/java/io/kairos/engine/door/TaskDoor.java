package io.kairos.engine.door;

import io.kairos.domain.delay.ControlHeaders;
import io.kairos.domain.delay.Header;
import io.kairos.domain.delay.HeaderCodec;
import io.kairos.domain.pool.PushRequest;
import io.kairos.domain.task.Idempotency;
import io.kairos.domain.task.Output;
import io.kairos.domain.task.PoolName;
import io.kairos.domain.task.QueueName;
import io.kairos.domain.task.TaskDetails;
import io.kairos.domain.task.TaskHandler;
import io.kairos.domain.task.TopicName;
import io.kairos.domain.task.TraceContext;
import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.delay.port.Outgoing;
import io.kairos.engine.delay.port.Publisher;
import io.kairos.engine.delay.port.SendCallback;
import io.kairos.engine.delay.port.SendResult;
import io.kairos.engine.task.Answer;
import io.kairos.engine.task.TaskEdge;
import io.kairos.engine.task.TaskSpec;
import io.kairos.engine.task.port.InsertResult;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Delayed messages that become tasks: a publisher that schedules what goes to a {@link TaskHandler}
 * and passes the rest on. The delay queue sees a topic of one partition, which answers when the
 * task is durable; so it retries, takes over and parks such messages like all others. A message
 * that is fired again makes no second task, because the record that it came by is the idempotency
 * key. Thread-safe; never blocks.
 */
public final class TaskDoor implements Publisher {
  private static final byte[] NOTHING = {};

  private final Publisher topics;
  private final InstantSource clock;
  private final Duration remembered;
  private final int maxPayloadBytes;
  private volatile @Nullable TaskEdge tasks;

  /**
   * @param topics what all others are published by
   * @param remembered for how long a message that is fired again makes no second task
   * @param maxPayloadBytes of a task
   */
  public TaskDoor(Publisher topics, InstantSource clock, Duration remembered, int maxPayloadBytes) {
    this.topics = topics;
    this.clock = clock;
    this.remembered = remembered;
    this.maxPayloadBytes = maxPayloadBytes;
  }

  /** Opens the door; before that nothing passes. */
  public void leadsTo(TaskEdge edge) {
    tasks = edge;
  }

  @Override
  public int partitions(Output output) {
    return switch (output) {
      case TopicName _ -> topics.partitions(output);
      case TaskHandler _ -> 1;
    };
  }

  @Override
  public int partitionFor(byte[] key, int partitions) {
    return topics.partitionFor(key, partitions);
  }

  @Override
  public void send(Outgoing outgoing, SendCallback callback) {
    switch (outgoing.output()) {
      case TopicName _ -> topics.send(outgoing, callback);
      case TaskHandler handler -> schedule(handler, outgoing, callback);
    }
  }

  private void schedule(TaskHandler handler, Outgoing outgoing, SendCallback callback) {
    TaskEdge edge = tasks;
    if (edge == null) {
      callback.completed(new SendResult.Failed("the node has not begun"));
      return;
    }
    byte[] payload = outgoing.value() == null ? NOTHING : outgoing.value();
    if (payload.length > maxPayloadBytes) {
      callback.completed(
          new SendResult.Refused(
              "the payload has " + payload.length + " bytes, a task's at most " + maxPayloadBytes));
      return;
    }
    TaskSpec task;
    try {
      task = task(handler, outgoing, payload);
    } catch (IllegalArgumentException e) {
      callback.completed(new SendResult.Refused(String.valueOf(e.getMessage())));
      return;
    }
    if (!edge.schedule(List.of(task), new Told(callback))) {
      callback.completed(new SendResult.Failed("too much is waiting for the store"));
    }
  }

  /** Due now: the delay queue has waited for the due time already. */
  private TaskSpec task(TaskHandler handler, Outgoing outgoing, byte[] payload) {
    List<Header> headers = HeaderCodec.decode(outgoing.headers());
    String source = last(headers, ControlHeaders.TASK_SOURCE);
    if (source == null) {
      throw new IllegalArgumentException("the stored message does not say where it came from");
    }
    String priority = last(headers, ControlHeaders.PRIORITY);
    String traceparent = last(headers, TraceContext.HEADER);
    return new TaskSpec(
        new QueueName(handler, priority == null ? QueueName.DEFAULT : Integer.parseInt(priority)),
        EpochMicros.of(clock.instant()),
        TaskDetails.of(handler instanceof PoolName ? request(headers, payload) : payload)
            .withTraceContext(
                traceparent != null && TraceContext.isValid(traceparent)
                    ? new TraceContext(traceparent)
                    : null),
        new Idempotency(
            ControlHeaders.TASK_SOURCE + "-" + source,
            new Idempotency.Window.For(remembered),
            Idempotency.OnConflict.KEEP));
  }

  /** A POST with those of the message's own headers that a request may have. */
  private static byte[] request(List<Header> headers, byte[] body) {
    List<Header> sent =
        headers.stream().filter(PushRequest::isHeader).limit(PushRequest.MOST_HEADERS).toList();
    return new PushRequest("POST", "/", sent, body).encode();
  }

  private static @Nullable String last(List<Header> headers, String name) {
    String value = null;
    for (Header header : headers) {
      byte[] bytes = header.value();
      if (bytes != null && header.name().equals(name)) {
        value = new String(bytes, StandardCharsets.UTF_8);
      }
    }
    return value;
  }

  private record Told(SendCallback callback) implements Answer<InsertResult> {
    @Override
    public void answered(InsertResult result) {
      callback.completed(
          switch (result) {
            case InsertResult.Stored _ -> SendResult.Acknowledged.INSTANCE;
            case InsertResult.Exhausted exhausted ->
                new SendResult.Failed(
                    exhausted.handler().wireName()
                        + " has as many unfinished tasks as it may have");
            case InsertResult.TooManyQueues _ ->
                new SendResult.Failed("there are as many queues as there may be");
            case InsertResult.Busy _ ->
                new SendResult.Failed("somebody else's transaction is in the way");
            // Cannot be with KEEP.
            case InsertResult.Conflict _ ->
                throw new IllegalStateException("a task that is kept is in conflict");
          });
    }

    @Override
    public void failed(RuntimeException cause) {
      callback.completed(new SendResult.Failed(String.valueOf(cause.getMessage())));
    }
  }
}
