package io.kairos.client;

import com.google.protobuf.ByteString;
import io.kairos.api.v1.PoolTarget;
import io.kairos.api.v1.Schedule;
import io.kairos.api.v1.Topic;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What a schedule is to be: {@code ScheduleSpec.named("reports/nightly").cron("0 3 * *
 * *").zone("Europe/Berlin").handler("report").build()}. What is left out gets what is shipped. The
 * node checks every field and names what it refuses.
 */
public final class ScheduleSpec {
  private final Schedule wire;

  private ScheduleSpec(Schedule wire) {
    this.wire = wire;
  }

  /**
   * A schedule with this name.
   *
   * @param name 1 to 128 of letters, digits and {@code . _ / -}; empty only for a preview
   */
  public static Builder named(String name) {
    return new Builder(Schedule.newBuilder().setName(name));
  }

  /** From the wire, for tools that read it from files. What only nodes give is dropped. */
  public static ScheduleSpec of(Schedule wire) {
    return new ScheduleSpec(
        wire.toBuilder()
            .clearState()
            .clearNote()
            .clearSince()
            .clearDescription()
            .clearNextFireTime()
            .clearNextFires()
            .clearLastFires()
            .clearRemainingRuns()
            .clearCreatedAt()
            .clearUid()
            .build());
  }

  public String name() {
    return wire.getName();
  }

  /** For tools that write it to files. */
  public Schedule wire() {
    return wire;
  }

  public Builder toBuilder() {
    return new Builder(wire.toBuilder());
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof ScheduleSpec spec && spec.wire.equals(wire);
  }

  @Override
  public int hashCode() {
    return wire.hashCode();
  }

  @Override
  public String toString() {
    return "schedule " + name();
  }

  /** How an expression is to be read. */
  public enum Dialect {
    /** Sunday is 0 or 7. */
    UNIX,
    /** Sunday is 1. */
    QUARTZ
  }

  /** What becomes of a local time that does not exist because the clocks go forward. */
  public enum DstGap {
    /** It fires once, when the gap is over. */
    RUN_AFTER,
    SKIP
  }

  /** What becomes of a local time that exists twice because the clocks go back. */
  public enum DstOverlap {
    FIRST,
    BOTH
  }

  /** What a fire does while tasks of former fires are unfinished. */
  public enum Overlap {
    /** It is skipped. */
    SKIP,
    /** One more waits, further ones are skipped. */
    BUFFER_ONE,
    /** All wait, and are performed one after the other. */
    BUFFER_ALL,
    /** The unfinished ones are cancelled. */
    CANCEL_OTHER,
    /** They run beside each other. */
    ALLOW_ALL
  }

  /** What happens to fire times that passed while no node could fire. */
  public enum CatchUp {
    /** They are skipped. */
    NONE,
    /** The latest of them fires. */
    LATEST,
    /** All of them fire, within {@link Builder#catchUpWindow} and {@link Builder#catchUpMax}. */
    ALL
  }

  /** Who says that a fire time has come. */
  public enum Decider {
    /** The nodes, by the clock of their store. */
    NODE,
    /** A replicated cron, by its agreed time: while none runs, nothing fires. */
    REPLICATED
  }

  /** Not thread-safe. */
  public static final class Builder {
    private final Schedule.Builder wire;

    private Builder(Schedule.Builder wire) {
      this.wire = wire;
    }

    /** By an expression of the Unix dialect. Replaces any other rule, as all rules do. */
    public Builder cron(String expression) {
      return cron(expression, Dialect.UNIX);
    }

    public Builder cron(String expression, Dialect dialect) {
      wire.setCron(
          Schedule.Cron.newBuilder()
              .setExpression(expression)
              .setDialect(Schedule.Cron.Dialect.valueOf(dialect.name())));
      return this;
    }

    /** A day must match both day fields of the expression, where both are restricted. */
    public Builder onDaysThatMatchBoth() {
      wire.getCronBuilder().setDayMatch(Schedule.Cron.DayMatch.BOTH);
      return this;
    }

    /** At a fixed rate, counted from {@link #startAt} or else from its creation. */
    public Builder every(Duration rate) {
      wire.setEvery(Protos.duration(rate));
      return this;
    }

    /** So long after the end of the former run. */
    public Builder delayAfter(Duration delay) {
      wire.setDelayAfter(Protos.duration(delay));
      return this;
    }

    /** Once. */
    public Builder at(Instant time) {
      wire.setAt(Protos.timestamp(time));
      return this;
    }

    /** By a recurrence rule of RFC 5545, such as {@code FREQ=MONTHLY;BYDAY=3MO}. */
    public Builder rrule(String rule) {
      wire.setRrule(rule);
      return this;
    }

    /** The zone in which an expression or a recurrence rule is read; UTC when left out. */
    public Builder zone(ZoneId zone) {
      return zone(zone.getId());
    }

    /** The same, by its IANA name. */
    public Builder zone(String name) {
      wire.setTimeZone(name);
      return this;
    }

    public Builder dstGap(DstGap gap) {
      wire.getDstBuilder().setGap(Schedule.Dst.Gap.valueOf(gap.name()));
      return this;
    }

    public Builder dstOverlap(DstOverlap overlap) {
      wire.getDstBuilder().setOverlap(Schedule.Dst.Overlap.valueOf(overlap.name()));
      return this;
    }

    /** Fires only in the open hours of this business calendar. */
    public Builder onlyDuring(String calendar) {
      return calendar(calendar, Schedule.CalendarUse.Use.ONLY_DURING);
    }

    /** Fires only outside of the open hours of this business calendar. */
    public Builder notDuring(String calendar) {
      return calendar(calendar, Schedule.CalendarUse.Use.NOT_DURING);
    }

    /** The open days of this business calendar are the working days that W means. */
    public Builder workingDays(String calendar) {
      return calendar(calendar, Schedule.CalendarUse.Use.WORKING_DAYS);
    }

    private Builder calendar(String name, Schedule.CalendarUse.Use use) {
      wire.addCalendars(Schedule.CalendarUse.newBuilder().setName(name).setUse(use));
      return this;
    }

    /** No fire time is before it. */
    public Builder startAt(Instant earliest) {
      wire.setStartAt(Protos.timestamp(earliest));
      return this;
    }

    /** No fire time is at it or after it. */
    public Builder endAt(Instant latest) {
      wire.setEndAt(Protos.timestamp(latest));
      return this;
    }

    /** Ends after so many fires. */
    public Builder maxRuns(long runs) {
      wire.setMaxRuns(runs);
      return this;
    }

    /** Each task is due up to so much after its fire time, always the same for the same. */
    public Builder spread(Duration most) {
      wire.setSpread(Protos.duration(most));
      return this;
    }

    /** Makes tasks for a handler. Replaces any other target, as all targets do. */
    public Builder handler(String name) {
      target().setHandler(name);
      return this;
    }

    /** Of the task: 0 to 100, higher is sooner; 50 when left out. */
    public Builder priority(int priority) {
      target().setPriority(priority);
      return this;
    }

    /** Ordering key of the tasks. */
    public Builder key(String key) {
      target().setKey(key);
      return this;
    }

    /** Labels the tasks. */
    public Builder collection(String name) {
      target().setCollection(name);
      return this;
    }

    /** Publishes to a Kafka topic. */
    public Builder topic(String name) {
      target().setTopic(Topic.newBuilder().setName(name));
      return this;
    }

    /** Key of the record that a topic gets. */
    public Builder messageKey(byte[] key) {
      target().getTopicBuilder().setKey(ByteString.copyFrom(key));
      return this;
    }

    /** One more header of the record that a topic gets. */
    public Builder messageHeader(String name, byte[] value) {
      target()
          .getTopicBuilder()
          .addHeaders(Topic.Header.newBuilder().setName(name).setValue(ByteString.copyFrom(value)));
      return this;
    }

    /** Sends a request to a worker of an HTTP pool. */
    public Builder pool(String name, String method, String path) {
      target()
          .setPool(
              PoolTarget.newBuilder()
                  .setName(name)
                  .setMethod(method.toUpperCase(Locale.ROOT))
                  .setPath(path));
      return this;
    }

    /** One more header of the request that a pool gets. */
    public Builder requestHeader(String name, String value) {
      target()
          .getPoolBuilder()
          .addHeaders(PoolTarget.Header.newBuilder().setName(name).setValue(value));
      return this;
    }

    /** Payload, record value or body of the request; opaque, at most 1 MB. */
    public Builder payload(byte[] payload) {
      target().clearText().setPayload(ByteString.copyFrom(payload));
      return this;
    }

    public Builder payload(String utf8) {
      return payload(utf8, PayloadCodec.utf8());
    }

    public <T> Builder payload(T payload, PayloadCodec<T> codec) {
      return payload(codec.encode(payload));
    }

    private Schedule.Target.Builder target() {
      return wire.getTargetBuilder();
    }

    public Builder overlap(Overlap overlap) {
      policies().setOverlap(Schedule.Policies.Overlap.valueOf(overlap.name()));
      return this;
    }

    public Builder catchUp(CatchUp mode) {
      policies().getCatchUpBuilder().setMode(Schedule.CatchUp.Mode.valueOf(mode.name()));
      return this;
    }

    /** How far back fire times are caught up. */
    public Builder catchUpWindow(Duration window) {
      policies().getCatchUpBuilder().setWindow(Protos.duration(window));
      return this;
    }

    /** How many fire times {@link CatchUp#ALL} fires, the latest ones. */
    public Builder catchUpMax(int most) {
      policies().getCatchUpBuilder().setMax(most);
      return this;
    }

    public Builder retryPolicy(RetryPolicy policy) {
      policies().setRetryPolicy(Protos.retryPolicy(policy));
      return this;
    }

    /** No attempt begins so long after the task was due. */
    public Builder startDeadline(Duration afterDue) {
      policies().setStartDeadline(Protos.duration(afterDue));
      return this;
    }

    /** How long one attempt may take. */
    public Builder executionTimeout(Duration timeout) {
      policies().setExecutionTimeout(Protos.duration(timeout));
      return this;
    }

    /** Pauses the schedule when the task of its last fire has failed for good. */
    public Builder pauseOnFailure(boolean pause) {
      policies().setPauseOnFailure(pause);
      return this;
    }

    /** Who says that a fire time has come; the nodes when left out. */
    public Builder decider(Decider decider) {
      wire.setDecider(Schedule.Decider.valueOf(decider.name()));
      return this;
    }

    private Schedule.Policies.Builder policies() {
      return wire.getPoliciesBuilder();
    }

    public ScheduleSpec build() {
      return new ScheduleSpec(wire.build());
    }
  }
}
