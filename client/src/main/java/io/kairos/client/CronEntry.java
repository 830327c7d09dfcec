package io.kairos.client;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import io.kairos.api.text.ProtoTime;
import io.kairos.api.v1.ScheduleTaskRequest;
import io.kairos.client.error.InvalidRequestException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An entry of a table of a replicated cron: {@code CronEntry.at(1, 10).cron("0 3 * *
 * *").task(TaskRequest.to("report").build()).build()}. The replica validates every field, and sets
 * what the entry has done. Immutable.
 */
public final class CronEntry {
  private final io.kairos.api.v1.CronEntry wire;

  CronEntry(io.kairos.api.v1.CronEntry wire) {
    this.wire = wire;
  }

  /**
   * Returns the builder of an entry, which needs a rule and work.
   *
   * @param component number of the component whose table it is in, 0 to 4294967295
   * @param position 0 to 99999; entries fire in the order of their positions
   */
  public static Builder at(long component, int position) {
    return new Builder(component, position);
  }

  /** Returns the entry of a message {@code kairos.v1.CronEntry} of the API, for tools. */
  public static CronEntry ofMessage(byte[] message) {
    try {
      return new CronEntry(io.kairos.api.v1.CronEntry.parseFrom(message));
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalArgumentException("the bytes are no CronEntry", e);
    }
  }

  /** Returns the message {@code kairos.v1.CronEntry} of the API, for tools. */
  public byte[] message() {
    return wire.toByteArray();
  }

  io.kairos.api.v1.CronEntry wire() {
    return wire;
  }

  public long component() {
    return wire.getComponent();
  }

  public int position() {
    return wire.getPosition();
  }

  /** Title for operators; empty for none. */
  public String title() {
    return wire.getTitle();
  }

  /** Number of fires without an exception since the entry was put into the table. */
  public long fires() {
    return wire.getFires();
  }

  /** Its last fire; empty when it has never fired. */
  public Optional<CronFire> lastFire() {
    return wire.hasLastFire() ? Optional.of(CronFire.of(wire.getLastFire())) : Optional.empty();
  }

  /** Agreed time from which on it fires; empty where that is not known before the next tick. */
  public Optional<Instant> nextFireTime() {
    return wire.getNextFire().hasTime()
        ? Optional.of(ProtoTime.of(wire.getNextFire().getTime()))
        : Optional.empty();
  }

  /** Number of exceptions of its code, while the last of them is kept. */
  public long failures() {
    return wire.getLastFailure().getCount();
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof CronEntry entry && entry.wire.equals(wire);
  }

  @Override
  public int hashCode() {
    return wire.hashCode();
  }

  @Override
  public String toString() {
    return "CronEntry[position %d of component %d]".formatted(position(), component());
  }

  /** Fields of an entry: of its rules the one set last counts, and so of its work. */
  public static final class Builder {
    private final io.kairos.api.v1.CronEntry.Builder wire = io.kairos.api.v1.CronEntry.newBuilder();

    private Builder(long component, int position) {
      wire.setComponent(component).setPosition(position);
    }

    /** Title for operators, at most 120 characters. */
    public Builder title(String text) {
      wire.setTitle(text);
      return this;
    }

    /** Fires at every executed tick of its table: two per interval with three replicas. */
    public Builder everyTick() {
      wire.setEveryTick(true);
      return this;
    }

    /** Fires so many requests of the log after its last fire; needs no agreed time. */
    public Builder everySequences(long requests) {
      wire.setEverySequences(requests);
      return this;
    }

    /** Fires so long after the tick of its last fire. */
    public Builder every(Duration length) {
      wire.setEvery(ProtoTime.of(length));
      return this;
    }

    /** Fires at a fixed rate, counted from the beginning of 1970. */
    public Builder fixedRate(Duration period) {
      wire.getFixedRateBuilder().setPeriod(ProtoTime.of(period)).clearAnchor();
      return this;
    }

    /**
     * Fires at a fixed rate.
     *
     * @param anchor one of the fire times, from which the others are counted
     */
    public Builder fixedRate(Duration period, Instant anchor) {
      wire.getFixedRateBuilder().setPeriod(ProtoTime.of(period)).setAnchor(ProtoTime.of(anchor));
      return this;
    }

    /** Fires by a cron expression, always in UTC. */
    public Builder cron(String expression) {
      wire.setCron(expression);
      return this;
    }

    /** Fires at the ticks at which a user's module says so. */
    public Builder byModule(String module, byte[] argument) {
      wire.getByModuleBuilder().setModule(module).setArgument(ByteString.copyFrom(argument));
      return this;
    }

    /**
     * Enqueues this task, publishes this message to its topic after the delay of at least a minute,
     * or has a node push this request to its pool. Besides target, payload, key and delay it has no
     * field.
     */
    public Builder task(TaskRequest task) {
      ScheduleTaskRequest given = task.wire();
      ScheduleTaskRequest others =
          given.toBuilder()
              .clearHandler()
              .clearTopic()
              .clearPool()
              .clearPayload()
              .clearKey()
              .clearDelay()
              .build();
      boolean delays = given.hasDelay() != given.hasTopic();
      if (delays
          || given.getTopic().getHeadersCount() > 0
          || !others.equals(ScheduleTaskRequest.getDefaultInstance())) {
        throw new InvalidRequestException(
            "task", "must have a target, a payload and a key alone, and for a topic a delay");
      }
      if (given.hasTopic()) {
        wire.getPostMessageBuilder()
            .setTopic(given.getTopic().getName())
            .setKey(given.getTopic().getKey())
            .setValue(given.getPayload())
            .setDelay(given.getDelay());
      } else if (given.hasPool()) {
        wire.getPushToPoolBuilder()
            .setPool(given.getPool())
            .setBody(given.getPayload())
            .setKey(given.getKey());
      } else {
        wire.getEnqueueTaskBuilder()
            .setHandler(given.getHandler())
            .setPayload(given.getPayload())
            .setKey(given.getKey());
      }
      return this;
    }

    /**
     * Pushes an HTTP request that is not signed. The receiver may get it more than once, each time
     * with the same id.
     */
    public Builder push(String url, String contentType, byte[] body) {
      wire.getPushBuilder()
          .setUrl(url)
          .setContentType(contentType)
          .setBody(ByteString.copyFrom(body));
      return this;
    }

    /** Deletes fires from the journal that are older than this, by the agreed time. */
    public Builder prune(Duration age) {
      wire.setPrune(ProtoTime.of(age));
      return this;
    }

    /** Runs a user's module. */
    public Builder run(String module, byte[] argument) {
      wire.getRunBuilder().setModule(module).setArgument(ByteString.copyFrom(argument));
      return this;
    }

    public CronEntry build() {
      return new CronEntry(wire.build());
    }
  }
}
