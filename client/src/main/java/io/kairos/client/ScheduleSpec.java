package io.kairos.client;

import com.google.protobuf.ByteString;
import io.kairos.api.text.ProtoTime;
import io.kairos.api.v1.PoolTarget;
import io.kairos.api.v1.Schedule;
import io.kairos.api.v1.Topic;
import io.kairos.client.task.PayloadBuilder;
import io.kairos.client.task.RetryPolicy;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Locale;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The definition of a schedule: {@code ScheduleSpec.named("reports/nightly").cron("0 3 * *
 * *").zone("Europe/Berlin").handler("report").build()}. Fields that are left out get their
 * defaults. The node validates every field. Immutable.
 */
public final class ScheduleSpec {
  private final Schedule wire;

  private ScheduleSpec(Schedule wire) {
    this.wire = wire;
  }

  /**
   * Returns the builder of a schedule with this name.
   *
   * @param name 1 to 128 of letters, digits and {@code . _ / -}; empty only for a preview
   */
  public static Builder named(String name) {
    return new Builder(Schedule.newBuilder().setName(name));
  }

  /**
   * Returns the spec of an API message, for tools that read it from files. Fields that only nodes
   * set are dropped.
   */
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

  /** Returns the API message, for tools that write it to files. */
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

  /** The dialect of a cron expression. */
  public enum Dialect {
    /** Sunday is 0 or 7. */
    UNIX,
    /** Sunday is 1. */
    QUARTZ
  }

  /** What happens to a local time that does not exist because clocks go forward. */
  public enum DstGap {
    /** The schedule fires once, at the end of the gap. */
    RUN_AFTER,
    SKIP
  }

  /** What happens to a local time that exists twice because clocks go back. */
  public enum DstOverlap {
    FIRST,
    BOTH
  }

  /** What a fire does while tasks of former fires are unfinished. */
  public enum Overlap {
    /** The fire time is skipped. */
    SKIP,
    /** One fire waits; further fire times are skipped. */
    BUFFER_ONE,
    /** All fires wait, and their tasks run one after the other. */
    BUFFER_ALL,
    /** Unfinished tasks are cancelled. */
    CANCEL_OTHER,
    /** The tasks run concurrently. */
    ALLOW_ALL
  }

  /** What happens to fire times that were missed because no node could fire. */
  public enum CatchUp {
    /** Missed fire times are skipped. */
    NONE,
    /** The latest missed fire time fires. */
    LATEST,
    /**
     * All missed fire times within {@link Builder#catchUpWindow} and {@link Builder#catchUpMax}
     * fire.
     */
    ALL
  }

  /** Decides that a fire time has come. */
  public enum Decider {
    /** The nodes, by the clock of their store. */
    NODE,
    /** A replicated cron, by its agreed time; while none runs, the schedule does not fire. */
    REPLICATED
  }

  /** Fields of a spec. Not thread-safe. */
  public static final class Builder implements PayloadBuilder<Builder> {
    private final Schedule.Builder wire;

    private Builder(Schedule.Builder wire) {
      this.wire = wire;
    }

    /**
     * Fires by a cron expression of the Unix dialect. Each method that sets a rule replaces the
     * rule set before.
     */
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

    /** Requires a day to match both day fields of the cron expression when both are restricted. */
    public Builder onDaysThatMatchBoth() {
      return set(Schedule.Cron.DayMatch.BOTH, wire.getCronBuilder()::setDayMatch);
    }

    /** Fires at a fixed rate, counted from {@link #startAt}, or from the creation without it. */
    public Builder every(Duration rate) {
      return set(ProtoTime.of(rate), wire::setEvery);
    }

    /** Fires at a fixed delay after the end of the previous run. */
    public Builder delayAfter(Duration delay) {
      return set(ProtoTime.of(delay), wire::setDelayAfter);
    }

    /** Fires once, at this time. */
    public Builder at(Instant time) {
      return set(ProtoTime.of(time), wire::setAt);
    }

    /** Fires by a recurrence rule of RFC 5545, such as {@code FREQ=MONTHLY;BYDAY=3MO}. */
    public Builder rrule(String rule) {
      return set(rule, wire::setRrule);
    }

    /** Time zone of the cron expression or recurrence rule; UTC when left out. */
    public Builder zone(ZoneId zone) {
      return zone(zone.getId());
    }

    /** Time zone of the cron expression or recurrence rule, by its IANA name; UTC when left out. */
    public Builder zone(String name) {
      return set(name, wire::setTimeZone);
    }

    public Builder dstGap(DstGap gap) {
      return set(Schedule.Dst.Gap.valueOf(gap.name()), wire.getDstBuilder()::setGap);
    }

    public Builder dstOverlap(DstOverlap overlap) {
      return set(Schedule.Dst.Overlap.valueOf(overlap.name()), wire.getDstBuilder()::setOverlap);
    }

    /** Fires only during the open hours of this business calendar. */
    public Builder onlyDuring(String calendar) {
      return calendar(calendar, Schedule.CalendarUse.Use.ONLY_DURING);
    }

    /** Fires only outside the open hours of this business calendar. */
    public Builder notDuring(String calendar) {
      return calendar(calendar, Schedule.CalendarUse.Use.NOT_DURING);
    }

    /**
     * Uses the open days of this business calendar as the working days for W in cron expressions.
     */
    public Builder workingDays(String calendar) {
      return calendar(calendar, Schedule.CalendarUse.Use.WORKING_DAYS);
    }

    private Builder calendar(String name, Schedule.CalendarUse.Use use) {
      wire.addCalendars(Schedule.CalendarUse.newBuilder().setName(name).setUse(use));
      return this;
    }

    /** No fire time is before this time. */
    public Builder startAt(Instant earliest) {
      return set(ProtoTime.of(earliest), wire::setStartAt);
    }

    /** No fire time is at or after this time. */
    public Builder endAt(Instant latest) {
      return set(ProtoTime.of(latest), wire::setEndAt);
    }

    /** Ends the schedule after this number of fires. */
    public Builder maxRuns(long runs) {
      return set(runs, wire::setMaxRuns);
    }

    /**
     * Jitter: each task is due up to this long after its fire time, by an amount that is fixed for
     * the fire time.
     */
    public Builder spread(Duration most) {
      return set(ProtoTime.of(most), wire::setSpread);
    }

    /** Makes tasks for a handler. Each method that sets a target replaces the target set before. */
    public Builder handler(String name) {
      return set(name, target()::setHandler);
    }

    /** Priority of the tasks: 0 to 100, higher priorities first; 50 when left out. */
    public Builder priority(int priority) {
      return set(priority, target()::setPriority);
    }

    /** Ordering key of the tasks. */
    public Builder key(String key) {
      return set(key, target()::setKey);
    }

    /** Collection (a label) of the tasks, by which they are paused, dropped and listed together. */
    public Builder collection(String name) {
      return set(name, target()::setCollection);
    }

    /** Fairness key of the tasks, such as the name of a tenant: see {@link TaskRequest.Builder}. */
    public Builder fairnessKey(String key) {
      return set(key, target()::setFairnessKey);
    }

    /** Weight of the fairness key: 1 to 1000; 1 when left out. */
    public Builder fairnessWeight(int weight) {
      return set(weight, target()::setFairnessWeight);
    }

    /** Publishes messages to a Kafka topic. */
    public Builder topic(String name) {
      target().setTopic(Topic.newBuilder().setName(name));
      return this;
    }

    /** Key of the Kafka record. */
    public Builder messageKey(byte[] key) {
      return set(ByteString.copyFrom(key), target().getTopicBuilder()::setKey);
    }

    /** Adds a header to the Kafka record. */
    public Builder messageHeader(String name, byte[] value) {
      target()
          .getTopicBuilder()
          .addHeaders(Topic.Header.newBuilder().setName(name).setValue(ByteString.copyFrom(value)));
      return this;
    }

    /** Makes tasks that are requests to an endpoint of an HTTP pool. */
    public Builder pool(String name, String method, String path) {
      target()
          .setPool(
              PoolTarget.newBuilder()
                  .setName(name)
                  .setMethod(method.toUpperCase(Locale.ROOT))
                  .setPath(path));
      return this;
    }

    /** Adds a header to the request to the pool. */
    public Builder requestHeader(String name, String value) {
      target()
          .getPoolBuilder()
          .addHeaders(PoolTarget.Header.newBuilder().setName(name).setValue(value));
      return this;
    }

    /**
     * For a sticky pool: chooses the endpoint by this key, of 1 to 256 printable ASCII characters,
     * instead of the ordering key.
     */
    public Builder routingKey(String key) {
      target().getPoolBuilder().setRoutingKey(key);
      return this;
    }

    /** Payload, record value or body of the request; opaque, at most 1 MB. */
    @Override
    public Builder payload(byte[] payload) {
      return set(ByteString.copyFrom(payload), target().clearText()::setPayload);
    }

    /**
     * Makes a graph of tasks at each fire time, all of them or none: the first task takes the place
     * of the target, with its retry policy and execution timeout, and the others become steps that
     * wait for it and for each other. At most 101 tasks, without due times, deadlines, idempotency
     * and traces. Replaces the target and the steps that were set before.
     *
     * @throws io.kairos.client.error.InvalidRequestException for a task that cannot be part of a
     *     schedule
     */
    public Builder graph(Graph graph) {
      ScheduleGraph.write(wire, graph.tasks());
      return this;
    }

    private Schedule.Target.Builder target() {
      return wire.getTargetBuilder();
    }

    public Builder overlap(Overlap overlap) {
      return set(Schedule.Policies.Overlap.valueOf(overlap.name()), policies()::setOverlap);
    }

    public Builder catchUp(CatchUp mode) {
      return set(
          Schedule.CatchUp.Mode.valueOf(mode.name()), policies().getCatchUpBuilder()::setMode);
    }

    /** How far back missed fire times are considered. */
    public Builder catchUpWindow(Duration window) {
      return set(ProtoTime.of(window), policies().getCatchUpBuilder()::setWindow);
    }

    /** Maximum number of missed fire times that {@link CatchUp#ALL} fires, the latest ones. */
    public Builder catchUpMax(int most) {
      return set(most, policies().getCatchUpBuilder()::setMax);
    }

    public Builder retryPolicy(RetryPolicy policy) {
      return set(TaskProtos.retryPolicy(policy), policies()::setRetryPolicy);
    }

    /** No attempt begins later than this after the due time. */
    public Builder startDeadline(Duration afterDue) {
      return set(ProtoTime.of(afterDue), policies()::setStartDeadline);
    }

    /** Maximum duration of one attempt. */
    public Builder executionTimeout(Duration timeout) {
      return set(ProtoTime.of(timeout), policies()::setExecutionTimeout);
    }

    /** Pauses the schedule when the task of its last fire has failed for good. */
    public Builder pauseOnFailure(boolean pause) {
      return set(pause, policies()::setPauseOnFailure);
    }

    /** Decides that a fire time has come; the nodes when left out. */
    public Builder decider(Decider decider) {
      return set(Schedule.Decider.valueOf(decider.name()), wire::setDecider);
    }

    private Schedule.Policies.Builder policies() {
      return wire.getPoliciesBuilder();
    }

    private <T> Builder set(T value, Consumer<T> setting) {
      setting.accept(value);
      return this;
    }

    public ScheduleSpec build() {
      return new ScheduleSpec(wire.build());
    }
  }
}
