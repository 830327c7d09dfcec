package io.kairos.client;

import com.google.protobuf.ByteString;
import io.kairos.api.text.ProtoTime;
import io.kairos.api.v1.PoolTarget;
import io.kairos.api.v1.ScheduleRequest;
import io.kairos.api.v1.Topic;
import io.kairos.client.error.InvalidRequestException;
import io.kairos.client.task.PayloadCodec;
import io.kairos.client.task.RetryPolicy;
import java.time.Duration;
import java.time.Instant;

/**
 * A task to schedule: {@code
 * TaskRequest.to("resize").payload("42.png").delay(ofMinutes(5)).build()}. Without {@code runAt} or
 * {@code delay} it is due now. The node validates every field. Immutable.
 */
public final class TaskRequest {
  private final ScheduleRequest wire;

  private TaskRequest(ScheduleRequest wire) {
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

  ScheduleRequest wire() {
    return wire;
  }

  /** Fields of a task. Not thread-safe. */
  public static final class Builder {
    private final ScheduleRequest.Builder wire = ScheduleRequest.newBuilder();

    private Builder() {}

    private Builder(String handler) {
      wire.setHandler(handler);
    }

    /** Key of the Kafka record, for a topic. */
    public Builder messageKey(byte[] key) {
      wire.getTopicBuilder().setKey(ByteString.copyFrom(key));
      return this;
    }

    /** Adds a header to the Kafka record, for a topic. */
    public Builder messageHeader(String name, byte[] value) {
      wire.getTopicBuilder()
          .addHeaders(Topic.Header.newBuilder().setName(name).setValue(ByteString.copyFrom(value)));
      return this;
    }

    /** HTTP method of the request, for a pool; POST when left out. */
    public Builder method(String method) {
      wire.getPoolBuilder().setMethod(method);
      return this;
    }

    /** Adds a header to the request, for a pool. */
    public Builder header(String name, String value) {
      wire.getPoolBuilder()
          .addHeaders(PoolTarget.Header.newBuilder().setName(name).setValue(value));
      return this;
    }

    /** Payload, opaque, at most 1 MB. */
    public Builder payload(byte[] payload) {
      wire.setPayload(ByteString.copyFrom(payload));
      return this;
    }

    public Builder payload(String utf8) {
      return payload(utf8, PayloadCodec.utf8());
    }

    public <T> Builder payload(T payload, PayloadCodec<T> codec) {
      return payload(codec.encode(payload));
    }

    /** 0 to 100, higher priorities first; 50 when left out. */
    public Builder priority(int priority) {
      wire.setPriority(priority);
      return this;
    }

    /** Due time. Not together with {@link #delay}. */
    public Builder runAt(Instant earliest) {
      wire.setRunAt(ProtoTime.of(earliest));
      return this;
    }

    /**
     * Due time as a delay from the acceptance of the task, by the node's clock. Not together with
     * {@link #runAt}.
     */
    public Builder delay(Duration delay) {
      wire.setDelay(ProtoTime.of(delay));
      return this;
    }

    public Builder retryPolicy(RetryPolicy policy) {
      wire.setRetryPolicy(TaskProtos.retryPolicy(policy));
      return this;
    }

    /** Maximum duration of one attempt, from its claim. */
    public Builder executionTimeout(Duration timeout) {
      wire.setExecutionTimeout(ProtoTime.of(timeout));
      return this;
    }

    /**
     * W3C trace context of the caller; handlers read it from their {@code TaskContext}. With
     * OpenTelemetry, inject the current context by {@code W3CTraceContextPropagator} and pass on
     * what it sets as {@code traceparent}.
     */
    public Builder traceparent(String traceparent) {
      wire.setTraceparent(traceparent);
      return this;
    }

    /**
     * Ordering key. Tasks of the handler with the same key are performed one at a time in the order
     * of their due times, unless the handler's key policy says otherwise.
     *
     * @param key 1 to 256 characters
     */
    public Builder key(String key) {
      wire.setKey(key);
      return this;
    }

    /**
     * Collection (a label) of the task, by which tasks of a handler are paused, dropped and listed
     * together.
     */
    public Builder collection(String name) {
      wire.setCollection(name);
      return this;
    }

    /** No attempt begins after this time; a task that has not begun by then fails. */
    public Builder startDeadline(Instant latest) {
      wire.setStartDeadline(ProtoTime.of(latest));
      return this;
    }

    /** Makes scheduling idempotent: a repeated call does not schedule the task twice. */
    public Builder idempotency(Idempotency idempotency) {
      wire.setIdempotency(idempotency.wire());
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
