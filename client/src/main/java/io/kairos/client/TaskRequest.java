package io.kairos.client;

import com.google.protobuf.ByteString;
import io.kairos.api.v1.PoolTarget;
import io.kairos.api.v1.ScheduleRequest;
import io.kairos.api.v1.Topic;
import java.time.Duration;
import java.time.Instant;

/**
 * A task to be done: {@code
 * TaskRequest.to("resize").payload("42.png").delay(ofMinutes(5)).build()}. Without {@code runAt} or
 * {@code delay} it is due now. The node checks every field and names what it refuses.
 */
public final class TaskRequest {
  private final ScheduleRequest wire;

  private TaskRequest(ScheduleRequest wire) {
    this.wire = wire;
  }

  /**
   * A task for a handler.
   *
   * @param handler name of the code that performs it: 1 to 128 of letters, digits and {@code . _ :
   *     / -}
   */
  public static Builder to(String handler) {
    return new Builder(handler);
  }

  /**
   * A task whose payload is published to a Kafka topic when it is due. It has no priority, no retry
   * policy and no execution timeout: the delay queue tries until the topic has it.
   *
   * @param topic output topic of a route of the nodes, or one on the route's allow-list
   */
  public static Builder toTopic(String topic) {
    Builder builder = new Builder();
    builder.wire.setTopic(Topic.newBuilder().setName(topic));
    return builder;
  }

  /**
   * A task whose payload is pushed to an endpoint of a pool when it is due; all else is as for a
   * handler.
   *
   * @param path below the endpoint's own; {@code /} for just that
   */
  public static Builder toPool(String pool, String path) {
    Builder builder = new Builder();
    builder.wire.setPool(PoolTarget.newBuilder().setName(pool).setPath(path));
    return builder;
  }

  ScheduleRequest wire() {
    return wire;
  }

  /** Not thread-safe. */
  public static final class Builder {
    private final ScheduleRequest.Builder wire = ScheduleRequest.newBuilder();

    private Builder() {}

    private Builder(String handler) {
      wire.setHandler(handler);
    }

    /** Key of the record that a topic gets. */
    public Builder messageKey(byte[] key) {
      wire.getTopicBuilder().setKey(ByteString.copyFrom(key));
      return this;
    }

    /** One more header of the record that a topic gets. */
    public Builder messageHeader(String name, byte[] value) {
      wire.getTopicBuilder()
          .addHeaders(Topic.Header.newBuilder().setName(name).setValue(ByteString.copyFrom(value)));
      return this;
    }

    /** Method of the request to a pool; POST when left out. */
    public Builder method(String method) {
      wire.getPoolBuilder().setMethod(method);
      return this;
    }

    /** One more header of the request to a pool. */
    public Builder header(String name, String value) {
      wire.getPoolBuilder()
          .addHeaders(PoolTarget.Header.newBuilder().setName(name).setValue(value));
      return this;
    }

    /** Opaque, at most 1 MB. */
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

    /** 0 to 100, higher is sooner; 50 when left out. */
    public Builder priority(int priority) {
      wire.setPriority(priority);
      return this;
    }

    /** Not together with {@link #delay}. */
    public Builder runAt(Instant earliest) {
      wire.setRunAt(Protos.timestamp(earliest));
      return this;
    }

    /** From when the node accepts it, by the node's clock. Not together with {@link #runAt}. */
    public Builder delay(Duration delay) {
      wire.setDelay(Protos.duration(delay));
      return this;
    }

    public Builder retryPolicy(RetryPolicy policy) {
      wire.setRetryPolicy(Protos.retryPolicy(policy));
      return this;
    }

    /** How long one attempt may take, from its claim. */
    public Builder executionTimeout(Duration timeout) {
      wire.setExecutionTimeout(Protos.duration(timeout));
      return this;
    }

    /**
     * W3C trace context of the caller; the handler finds it in its context. With OpenTelemetry,
     * inject the current context by {@code W3CTraceContextPropagator} and pass on what it sets as
     * {@code traceparent}.
     */
    public Builder traceparent(String traceparent) {
      wire.setTraceparent(traceparent);
      return this;
    }

    /**
     * Tasks of the handler with the same key are performed one at a time and in due order, unless
     * the handler's key policy says otherwise.
     *
     * @param key 1 to 256 characters
     */
    public Builder key(String key) {
      wire.setKey(key);
      return this;
    }

    /** Labels it, so that it can be paused, dropped and listed with others of its handler. */
    public Builder collection(String name) {
      wire.setCollection(name);
      return this;
    }

    /** No attempt begins after it; a task that has not begun by then fails. */
    public Builder startDeadline(Instant latest) {
      wire.setStartDeadline(Protos.timestamp(latest));
      return this;
    }

    /** So that it is not scheduled twice. */
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
