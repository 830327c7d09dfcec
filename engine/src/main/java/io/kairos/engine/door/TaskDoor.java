package io.kairos.engine.door;

import io.kairos.domain.delay.ControlHeaders;
import io.kairos.domain.delay.HeaderCodec;
import io.kairos.domain.delay.MessageHeader;
import io.kairos.domain.pool.PushRequest;
import io.kairos.domain.task.OrderingKey;
import io.kairos.domain.task.TaskDetails;
import io.kairos.domain.task.TaskIdempotency;
import io.kairos.domain.task.TraceContext;
import io.kairos.domain.task.queue.MessageOutput;
import io.kairos.domain.task.queue.PoolName;
import io.kairos.domain.task.queue.QueueMaker;
import io.kairos.domain.task.queue.QueueName;
import io.kairos.domain.task.queue.TaskHandler;
import io.kairos.domain.task.queue.TopicName;
import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.delay.port.OutgoingRecord;
import io.kairos.engine.delay.port.Publisher;
import io.kairos.engine.delay.port.SendCallback;
import io.kairos.engine.delay.port.SendResult;
import io.kairos.engine.task.edge.AnswerCallback;
import io.kairos.engine.task.edge.TaskEdge;
import io.kairos.engine.task.edge.TaskSpec;
import io.kairos.engine.task.port.InsertResult;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A publisher that makes a task of each message for a {@link TaskHandler} and passes other messages
 * on. The delay queue sees a topic of one partition, which answers when the task is durable; so it
 * retries, takes over and parks such messages like all others. A message that is fired again makes
 * no second task, because its input record is the idempotency key. Thread-safe; never blocks.
 */
public final class TaskDoor implements Publisher {
  private static final byte[] NOTHING = {};

  private final Publisher topics;
  private final InstantSource clock;
  private final Duration remembered;
  private final int maxPayloadBytes;
  private volatile @Nullable TaskEdge tasks;

  /**
   * @param topics publisher of all messages for topics
   * @param remembered how long a message that is fired again makes no second task
   * @param maxPayloadBytes largest payload of a task
   */
  public TaskDoor(Publisher topics, InstantSource clock, Duration remembered, int maxPayloadBytes) {
    this.topics = topics;
    this.clock = clock;
    this.remembered = remembered;
    this.maxPayloadBytes = maxPayloadBytes;
  }

  /** Sets where tasks are stored; before this call sends to handlers fail. */
  public void leadsTo(TaskEdge edge) {
    tasks = edge;
  }

  @Override
  public int partitions(MessageOutput output) {
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
  public void send(OutgoingRecord outgoing, SendCallback callback) {
    switch (outgoing.output()) {
      case TopicName _ -> topics.send(outgoing, callback);
      case TaskHandler handler -> schedule(handler, outgoing, callback);
    }
  }

  private void schedule(TaskHandler handler, OutgoingRecord outgoing, SendCallback callback) {
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
    if (!edge.schedule(List.of(task), new SendAnswer(callback))) {
      callback.completed(new SendResult.Failed("too much is waiting for the store"));
    }
  }

  /**
   * Makes a task that is due now, because the delay queue has waited for the due time already. One
   * with an ordering key is due when its message was, so that the tasks of a key are performed in
   * the order of the messages' due times.
   */
  private TaskSpec task(TaskHandler handler, OutgoingRecord outgoing, byte[] payload) {
    List<MessageHeader> headers = HeaderCodec.decode(outgoing.headers());
    String source = last(headers, ControlHeaders.TASK_SOURCE);
    if (source == null) {
      throw new IllegalArgumentException("the stored message does not say where it came from");
    }
    String priority = last(headers, ControlHeaders.PRIORITY);
    String traceparent = last(headers, TraceContext.HEADER);
    String key = last(headers, ControlHeaders.KEY);
    return new TaskSpec(
        new QueueName(handler, priority == null ? QueueName.DEFAULT : Integer.parseInt(priority)),
        key == null ? EpochMicros.of(clock.instant()) : outgoing.dueMicros(),
        TaskDetails.of(handler instanceof PoolName ? request(headers, payload) : payload)
            .withKey(key == null ? null : new OrderingKey(key))
            .withTraceContext(
                traceparent != null && TraceContext.isValid(traceparent)
                    ? new TraceContext(traceparent)
                    : null),
        new TaskIdempotency(
            ControlHeaders.TASK_SOURCE + "-" + source,
            new TaskIdempotency.Window.For(remembered),
            TaskIdempotency.OnConflict.KEEP),
        QueueMaker.MESSAGES);
  }

  /** Encodes a POST request with the message's headers that a request may have. */
  private static byte[] request(List<MessageHeader> headers, byte[] body) {
    List<MessageHeader> sent =
        headers.stream().filter(PushRequest::isHeader).limit(PushRequest.MOST_HEADERS).toList();
    return new PushRequest("POST", "/", sent, body).encode();
  }

  private static @Nullable String last(List<MessageHeader> headers, String name) {
    String value = null;
    for (MessageHeader header : headers) {
      byte[] bytes = header.value();
      if (bytes != null && header.name().equals(name)) {
        value = new String(bytes, StandardCharsets.UTF_8);
      }
    }
    return value;
  }

  private record SendAnswer(SendCallback callback) implements AnswerCallback<InsertResult> {
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
            case InsertResult.Busy _ -> new SendResult.Failed("another transaction holds a lock");
            case InsertResult.QueueRetired _ ->
                new SendResult.Failed("its queue has just been retired");
            case InsertResult.UnknownPredecessor _, InsertResult.OlderNodes _ ->
                throw new IllegalStateException("a message waits for no task");
            case InsertResult.NotInBatch _ ->
                throw new IllegalStateException("a message is in no batch");
            // A conflict cannot occur with KEEP.
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
