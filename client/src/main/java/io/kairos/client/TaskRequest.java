package io.kairos.client;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import io.kairos.api.text.ProtoTime;
import io.kairos.api.v1.PoolTarget;
import io.kairos.api.v1.Predecessor;
import io.kairos.api.v1.ScheduleTaskRequest;
import io.kairos.api.v1.Topic;
import io.kairos.client.batch.BatchId;
import io.kairos.client.error.InvalidRequestException;
import io.kairos.client.task.OnFailure;
import io.kairos.client.task.PayloadBuilder;
import io.kairos.client.task.PayloadCodec;
import io.kairos.client.task.RetryPolicy;
import io.kairos.client.task.TaskId;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A task to schedule: {@code
 * TaskRequest.to("resize").payload("42.png").delay(ofMinutes(5)).build()}. Without {@code runAt} or
 * {@code delay} it is due now. The node validates every field. Immutable.
 */
public final class TaskRequest {
  private final ScheduleTaskRequest wire;

  private TaskRequest(ScheduleTaskRequest wire) {
    this.wire = wire;
  }

  /**
   * Returns the builder of a task for a handler.
   *
   * @param handler name of the handler that performs the task: 1 to 128 of letters, digits and
   *     {@code . _ : / -}
   */
  public static Builder to(String handler) {
    return new Builder(handler);
  }

  /**
   * Returns the builder of a message: its payload is published to a Kafka topic when it is due. A
   * message has no priority, no retry policy and no execution timeout, because the delay queue
   * retries until the message is published.
   *
   * @param topic the output topic of a route of the nodes, or a topic on the route's allow-list
   */
  public static Builder toTopic(String topic) {
    Builder builder = new Builder();
    builder.wire.setTopic(Topic.newBuilder().setName(topic));
    return builder;
  }

  /**
   * Returns the builder of a task whose payload is pushed to an endpoint of a pool when it is due.
   * Everything else is as for a handler.
   *
   * @param path path that is appended to the endpoint's own path; {@code /} for none
   */
  public static Builder toPool(String pool, String path) {
    Builder builder = new Builder();
    builder.wire.setPool(PoolTarget.newBuilder().setName(pool).setPath(path));
    return builder;
  }

  /**
   * Returns the name of the task's target: of its handler, or else of its pool or topic. Names of
   * different kinds may be equal.
   */
  public String target() {
    return wire.hasPool()
        ? wire.getPool().getName()
        : wire.hasTopic() ? wire.getTopic().getName() : wire.getHandler();
  }

  /** Returns the name of the handler; empty for a task of a pool and a message for a topic. */
  public Optional<String> handler() {
    return wire.getHandler().isEmpty() ? Optional.empty() : Optional.of(wire.getHandler());
  }

  /** Returns the W3C trace context that was set; empty for none. */
  public Optional<String> traceparent() {
    return wire.getTraceparent().isEmpty() ? Optional.empty() : Optional.of(wire.getTraceparent());
  }

  /** Returns this task, which waits for another one of the same call, too. */
  TaskRequest after(int index, OnFailure onFailure) {
    return new TaskRequest(
        wire.toBuilder()
            .addAfter(
                Predecessor.newBuilder()
                    .setIndex(index)
                    .setOnFailure(Predecessor.OnFailure.valueOf(onFailure.name())))
            .build());
  }

  /** Returns this task with another W3C trace context. */
  public TaskRequest withTraceparent(String traceparent) {
    return new TaskRequest(wire.toBuilder().setTraceparent(traceparent).build());
  }

  ScheduleTaskRequest wire() {
    return wire;
  }

  /** Fields of a task. Not thread-safe. */
  public static final class Builder implements PayloadBuilder<Builder> {
    private final ScheduleTaskRequest.Builder wire = ScheduleTaskRequest.newBuilder();

    private Builder() {}

    private Builder(String handler) {
      wire.setHandler(handler);
    }

    /** Key of the Kafka record, for a topic. */
    public Builder messageKey(byte[] key) {
      return set(ByteString.copyFrom(key), wire.getTopicBuilder()::setKey);
    }

    /** Adds a header to the Kafka record, for a topic. */
    public Builder messageHeader(String name, byte[] value) {
      wire.getTopicBuilder()
          .addHeaders(Topic.Header.newBuilder().setName(name).setValue(ByteString.copyFrom(value)));
      return this;
    }

    /** HTTP method of the request, for a pool; POST when left out. */
    public Builder method(String method) {
      return set(method, wire.getPoolBuilder()::setMethod);
    }

    /** Adds a header to the request, for a pool. */
    public Builder header(String name, String value) {
      wire.getPoolBuilder()
          .addHeaders(PoolTarget.Header.newBuilder().setName(name).setValue(value));
      return this;
    }

    /**
     * For a sticky pool: chooses the endpoint by this key, of 1 to 256 printable ASCII characters,
     * instead of the ordering key.
     */
    public Builder routingKey(String key) {
      return set(key, wire.getPoolBuilder()::setRoutingKey);
    }

    /** Payload, opaque, at most 1 MB. */
    @Override
    public Builder payload(byte[] payload) {
      return set(ByteString.copyFrom(payload), wire::setPayload);
    }

    /** Payload in the form of a codec, without a copy of what the codec has written. */
    @Override
    public <T> Builder payload(T payload, PayloadCodec<T> codec) {
      return set(UnsafeByteOperations.unsafeWrap(codec.encode(payload)), wire::setPayload);
    }

    /** 0 to 100, higher priorities first; 50 when left out. */
    public Builder priority(int priority) {
      return set(priority, wire::setPriority);
    }

    /** Due time. Not together with {@link #delay}. */
    public Builder runAt(Instant earliest) {
      return set(ProtoTime.of(earliest), wire::setRunAt);
    }

    /**
     * Due time as a delay from the acceptance of the task, by the node's clock. Not together with
     * {@link #runAt}.
     */
    public Builder delay(Duration delay) {
      return set(ProtoTime.of(delay), wire::setDelay);
    }

    public Builder retryPolicy(RetryPolicy policy) {
      return set(TaskProtos.retryPolicy(policy), wire::setRetryPolicy);
    }

    /** Maximum duration of one attempt, from its claim. */
    public Builder executionTimeout(Duration timeout) {
      return set(ProtoTime.of(timeout), wire::setExecutionTimeout);
    }

    /**
     * W3C trace context of the caller; handlers read it from their {@code TaskContext}. With
     * OpenTelemetry, the module {@code kairos-client-opentelemetry} sets it.
     */
    public Builder traceparent(String traceparent) {
      return set(traceparent, wire::setTraceparent);
    }

    /**
     * Ordering key. Tasks of the handler with the same key are performed one at a time in the order
     * of their due times, unless the handler's key policy says otherwise.
     *
     * @param key 1 to 256 characters
     */
    public Builder key(String key) {
      return set(key, wire::setKey);
    }

    /**
     * Collection (a label) of the task, by which tasks of a handler are paused, dropped and listed
     * together.
     */
    public Builder collection(String name) {
      return set(name, wire::setCollection);
    }

    /**
     * Fairness key, such as the name of a tenant. Tasks of one handler and priority are handed out
     * by turns between their fairness keys, so that the many tasks of one key do not delay the few
     * of another.
     *
     * @param key 1 to 256 characters
     */
    public Builder fairnessKey(String key) {
      return set(key, wire::setFairnessKey);
    }

    /**
     * Tasks of the fairness key that are handed out for each one of a key of weight 1.
     *
     * @param weight 1 to 1000; 1 when left out
     */
    public Builder fairnessWeight(int weight) {
      return set(weight, wire::setFairnessWeight);
    }

    /**
     * Adds the name of a limit that holds for the task, such as {@code api:stripe} or {@code
     * tenant:acme}; at most three. While operators limit the name, no more tasks with it run at a
     * time, or begin per second, than they allow, whatever their handlers. A name without a limit
     * limits nothing.
     *
     * @param name 1 to 128 of letters, digits and {@code . _ : / -}
     */
    public Builder limit(String name) {
      wire.addLimits(name);
      return this;
    }

    /** No attempt begins after this time; a task that has not begun by then fails. */
    public Builder startDeadline(Instant latest) {
      return set(ProtoTime.of(latest), wire::setStartDeadline);
    }

    /**
     * No attempt begins later than this after the due time; a task that has not begun by then
     * fails, and one whose due time lies further in the past is refused. Instead of {@link
     * #startDeadline}.
     */
    public Builder rejectBeyond(Duration late) {
      return set(ProtoTime.of(late), wire::setRejectBeyond);
    }

    /** Makes scheduling idempotent: a repeated call does not schedule the task twice. */
    public Builder idempotency(Idempotency idempotency) {
      return set(idempotency.wire(), wire::setIdempotency);
    }

    /** The task begins only when this one, which was scheduled before, has succeeded. */
    public Builder after(TaskId predecessor) {
      return after(predecessor, OnFailure.FAIL);
    }

    /**
     * The task begins only when this one, which was scheduled before, has ended.
     *
     * @param onFailure what becomes of the task when that one ends without success
     */
    public Builder after(TaskId predecessor, OnFailure onFailure) {
      wire.addAfterBuilder()
          .setId(predecessor.toString())
          .setOnFailure(Predecessor.OnFailure.valueOf(onFailure.name()));
      return this;
    }

    /**
     * The task begins only when this batch has ended: when it is closed and all its tasks have
     * ended. It has succeeded when all of them have.
     *
     * @param onFailure what becomes of the task when one of them ends without success: {@link
     *     OnFailure#BLOCK} to wait until all have succeeded, {@link OnFailure#CONTINUE} to wait for
     *     the end of all
     */
    public Builder afterBatch(BatchId predecessor, OnFailure onFailure) {
      wire.addAfterBuilder()
          .setBatch(predecessor.toString())
          .setOnFailure(Predecessor.OnFailure.valueOf(onFailure.name()));
      return this;
    }

    /** The task joins a batch of its handler, which must not be closed. */
    public Builder batch(BatchId batch) {
      return set(batch.toString(), wire::setBatch);
    }

    private <T> Builder set(T value, Consumer<T> setting) {
      setting.accept(value);
      return this;
    }

    /** Throws {@link InvalidRequestException} when both {@code runAt} and {@code delay} are set. */
    public TaskRequest build() {
      if (wire.hasRunAt() && wire.hasDelay()) {
        throw new InvalidRequestException("delay", "must not be set together with run_at");
      }
      return new TaskRequest(wire.build());
    }
  }
}
