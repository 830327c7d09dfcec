package io.kairos.edge.schedule;

import static io.kairos.api.text.GivenValue.ifGiven;

import com.google.protobuf.ByteString;
import io.kairos.api.text.ProtoTime;
import io.kairos.api.v1.PoolTarget;
import io.kairos.api.v1.Predecessor;
import io.kairos.api.v1.Schedule;
import io.kairos.api.v1.Topic;
import io.kairos.domain.delay.HeaderCodec;
import io.kairos.domain.delay.MessageHeader;
import io.kairos.domain.pool.PushRequest;
import io.kairos.domain.schedule.ClockGap;
import io.kairos.domain.schedule.ClockOverlap;
import io.kairos.domain.schedule.RuleBounds;
import io.kairos.domain.schedule.calendar.CalendarUse;
import io.kairos.domain.schedule.cron.CronDialect;
import io.kairos.domain.schedule.cron.DayMatch;
import io.kairos.domain.schedule.definition.CatchUpPolicy;
import io.kairos.domain.schedule.definition.FirePolicies;
import io.kairos.domain.schedule.definition.OverlapPolicy;
import io.kairos.domain.schedule.definition.ScheduleDecider;
import io.kairos.domain.schedule.definition.ScheduleDefinition;
import io.kairos.domain.schedule.definition.ScheduleRule;
import io.kairos.domain.schedule.definition.ScheduleStep;
import io.kairos.domain.schedule.definition.ScheduleTarget;
import io.kairos.domain.task.Fairness;
import io.kairos.domain.task.queue.HandlerName;
import io.kairos.domain.task.queue.PoolName;
import io.kairos.domain.task.queue.QueueName;
import io.kairos.edge.call.PayloadBytes;
import io.kairos.edge.refusal.WireEnum;
import io.kairos.edge.task.GraphRequests;
import io.kairos.edge.task.PoolAnswers;
import io.kairos.edge.task.TaskAnswers;
import java.time.Duration;
import java.time.Instant;

/**
 * Writes schedule definitions as API messages, complete: a message can be sent back as a request,
 * and two messages are equal when the definitions are.
 */
final class DefinitionAnswers {
  static final WireEnum<ScheduleDecider, Schedule.Decider> DECIDERS =
      new WireEnum<>(ScheduleDecider.class, Schedule.Decider.class);
  static final WireEnum<CronDialect, Schedule.Cron.Dialect> DIALECTS =
      new WireEnum<>(CronDialect.class, Schedule.Cron.Dialect.class);
  static final WireEnum<DayMatch, Schedule.Cron.DayMatch> DAY_MATCHES =
      new WireEnum<>(DayMatch.class, Schedule.Cron.DayMatch.class);
  static final WireEnum<ClockOverlap, Schedule.Dst.Overlap> REPEATED_TIMES =
      new WireEnum<>(ClockOverlap.class, Schedule.Dst.Overlap.class);
  static final WireEnum<CalendarUse.Kind, Schedule.CalendarUse.Use> CALENDAR_USES =
      new WireEnum<>(CalendarUse.Kind.class, Schedule.CalendarUse.Use.class);
  static final WireEnum<CatchUpPolicy.Mode, Schedule.CatchUp.Mode> CATCH_UPS =
      new WireEnum<>(CatchUpPolicy.Mode.class, Schedule.CatchUp.Mode.class);
  static final WireEnum<OverlapPolicy, Schedule.Policies.Overlap> OVERLAPS =
      new WireEnum<>(OverlapPolicy.class, Schedule.Policies.Overlap.class);

  private DefinitionAnswers() {}

  static Schedule.Builder schedule(ScheduleDefinition definition) {
    Schedule.Builder wire = Schedule.newBuilder();
    rule(wire, definition.rule());
    bounds(wire, definition.bounds());
    Duration spread = definition.spread().window();
    if (spread.isPositive()) {
      wire.setSpread(ProtoTime.of(spread));
    }
    policies(wire.getPoliciesBuilder(), definition.policies());
    wire.setDecider(DECIDERS.write(definition.policies().decider()));
    target(wire, definition.target());
    definition.steps().forEach(step -> step(wire.addStepsBuilder(), step));
    return wire;
  }

  private static void rule(Schedule.Builder wire, ScheduleRule rule) {
    switch (rule.kind()) {
      case CRON ->
          wire.setCron(
              Schedule.Cron.newBuilder()
                  .setExpression(rule.text())
                  .setDialect(DIALECTS.write(rule.dialect()))
                  .setDayMatch(DAY_MATCHES.write(rule.days())));
      case EVERY -> wire.setEvery(ProtoTime.of(Duration.parse(rule.text())));
      case DELAY -> wire.setDelayAfter(ProtoTime.of(Duration.parse(rule.text())));
      case AT -> wire.setAt(ProtoTime.of(Instant.parse(rule.text())));
      case RRULE -> wire.setRrule(rule.text());
    }
    wire.setTimeZone(rule.zone());
    wire.getDstBuilder()
        .setGap(rule.gap() == ClockGap.SKIP ? Schedule.Dst.Gap.SKIP : Schedule.Dst.Gap.RUN_AFTER)
        .setOverlap(REPEATED_TIMES.write(rule.repeated()));
    for (CalendarUse use : rule.calendars()) {
      wire.addCalendars(
          Schedule.CalendarUse.newBuilder()
              .setName(use.calendar().value())
              .setUse(CALENDAR_USES.write(use.kind())));
    }
  }

  private static void bounds(Schedule.Builder wire, RuleBounds bounds) {
    ifGiven(bounds.start(), start -> wire.setStartAt(ProtoTime.of(start)));
    ifGiven(bounds.end(), end -> wire.setEndAt(ProtoTime.of(end)));
    ifGiven(bounds.maxRuns(), wire::setMaxRuns);
  }

  private static void policies(Schedule.Policies.Builder wire, FirePolicies policies) {
    CatchUpPolicy catchUp = policies.catchUp();
    wire.setOverlap(OVERLAPS.write(policies.overlap()))
        .setPauseOnFailure(policies.pauseOnFailure());
    wire.getCatchUpBuilder()
        .setMode(CATCH_UPS.write(catchUp.mode()))
        .setWindow(ProtoTime.of(catchUp.window()))
        .setMax(catchUp.max());
    ifGiven(policies.deadline(), deadline -> wire.setStartDeadline(ProtoTime.of(deadline)));
  }

  /**
   * Writes handler or pool, payload, key, collection, and the priority unless it is the default.
   */
  private static void task(Schedule.Target.Builder wire, ScheduleTarget.Handler target) {
    QueueName queue = target.queue();
    switch (queue.handler()) {
      case PoolName pool -> pool(wire, pool, target.details().payload());
      case HandlerName(String handler) ->
          wire.setHandler(handler).setPayload(PayloadBytes.out(target.details().payload()));
    }
    if (queue.priority() != QueueName.DEFAULT) {
      wire.setPriority(queue.priority());
    }
    ifGiven(target.details().key(), key -> wire.setKey(key.value()));
    ifGiven(target.details().collection(), one -> wire.setCollection(one.value()));
    ifGiven(target.details().fairness(), one -> fairness(wire, one));
  }

  /** Writes only the pool's name, and the raw payload, when that is not a push request. */
  private static void pool(Schedule.Target.Builder wire, PoolName pool, byte[] payload) {
    PushRequest request;
    try {
      request = PushRequest.decode(payload);
    } catch (IllegalArgumentException _) {
      wire.setPool(PoolTarget.newBuilder().setName(pool.value()))
          .setPayload(PayloadBytes.out(payload));
      return;
    }
    wire.setPool(PoolAnswers.target(pool.value(), request))
        .setPayload(PayloadBytes.out(request.body()));
  }

  /** Writes a fairness key, and its weight unless it is the default. */
  private static void fairness(Schedule.Target.Builder wire, Fairness fairness) {
    wire.setFairnessKey(fairness.key());
    if (fairness.weight() != Fairness.LIGHTEST) {
      wire.setFairnessWeight(fairness.weight());
    }
  }

  private static void step(Schedule.Step.Builder wire, ScheduleStep step) {
    task(wire.getTargetBuilder(), step.target());
    ifGiven(
        step.target().details().retryPolicy(),
        policy -> wire.setRetryPolicy(TaskAnswers.policy(policy)));
    ifGiven(
        step.target().details().executionTimeout(),
        timeout -> wire.setExecutionTimeout(ProtoTime.of(timeout)));
    for (ScheduleStep.After after : step.after()) {
      wire.addAfter(
          Predecessor.newBuilder()
              .setIndex(after.index())
              .setOnFailure(GraphRequests.ON_FAILURES.write(after.onFailure())));
    }
  }

  private static void target(Schedule.Builder wire, ScheduleTarget target) {
    switch (target) {
      case ScheduleTarget.Handler handler -> {
        task(wire.getTargetBuilder(), handler);
        Schedule.Policies.Builder policies = wire.getPoliciesBuilder();
        ifGiven(
            handler.details().retryPolicy(),
            policy -> policies.setRetryPolicy(TaskAnswers.policy(policy)));
        ifGiven(
            handler.details().executionTimeout(),
            timeout -> policies.setExecutionTimeout(ProtoTime.of(timeout)));
      }
      case ScheduleTarget.Topic topic -> {
        Topic.Builder words = Topic.newBuilder().setName(topic.topic().value());
        ifGiven(topic.key(), key -> words.setKey(ByteString.copyFrom(key)));
        for (MessageHeader header : HeaderCodec.decode(topic.headers())) {
          byte[] value = header.value();
          words.addHeaders(
              Topic.Header.newBuilder()
                  .setName(header.name())
                  .setValue(value == null ? ByteString.EMPTY : ByteString.copyFrom(value)));
        }
        wire.getTargetBuilder().setTopic(words).setPayload(PayloadBytes.out(topic.value()));
      }
    }
  }
}
