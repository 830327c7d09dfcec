package io.kairos.server.edge.schedule;

import com.google.protobuf.ByteString;
import io.kairos.api.v1.Schedule;
import io.kairos.api.v1.Topic;
import io.kairos.domain.delay.Header;
import io.kairos.domain.delay.HeaderCodec;
import io.kairos.domain.pool.PushRequest;
import io.kairos.domain.schedule.Bounds;
import io.kairos.domain.schedule.Gap;
import io.kairos.domain.schedule.Overlap;
import io.kairos.domain.schedule.calendar.CalendarUse;
import io.kairos.domain.schedule.cron.DayMatch;
import io.kairos.domain.schedule.cron.Dialect;
import io.kairos.domain.schedule.fire.CatchUp;
import io.kairos.domain.schedule.fire.DecidedBy;
import io.kairos.domain.schedule.fire.Definition;
import io.kairos.domain.schedule.fire.OverlapPolicy;
import io.kairos.domain.schedule.fire.Policies;
import io.kairos.domain.schedule.fire.Rule;
import io.kairos.domain.schedule.fire.Target;
import io.kairos.domain.task.HandlerName;
import io.kairos.domain.task.PoolName;
import io.kairos.domain.task.QueueName;
import io.kairos.server.edge.task.Payloads;
import io.kairos.server.edge.task.PoolAnswers;
import io.kairos.server.edge.task.TaskAnswers;
import java.time.Duration;
import java.time.Instant;

/**
 * Definitions of schedules in the words of the wire, with nothing left out: what is read from an
 * answer can be given back, and two answers are equal when the definitions are.
 */
final class DefinitionAnswers {
  private DefinitionAnswers() {}

  static Schedule.Builder schedule(Definition definition) {
    Schedule.Builder wire = Schedule.newBuilder();
    rule(wire, definition.rule());
    bounds(wire, definition.bounds());
    Duration spread = definition.spread().window();
    if (spread.isPositive()) {
      wire.setSpread(TaskAnswers.duration(spread));
    }
    policies(wire.getPoliciesBuilder(), definition.policies());
    wire.setDecider(decider(definition.policies().decider()));
    target(wire, definition.target());
    return wire;
  }

  static Schedule.Decider decider(DecidedBy decider) {
    return switch (decider) {
      case NODE -> Schedule.Decider.NODE;
      case REPLICATED -> Schedule.Decider.REPLICATED;
    };
  }

  private static void rule(Schedule.Builder wire, Rule rule) {
    switch (rule.kind()) {
      case CRON ->
          wire.setCron(
              Schedule.Cron.newBuilder()
                  .setExpression(rule.text())
                  .setDialect(
                      rule.dialect() == Dialect.QUARTZ
                          ? Schedule.Cron.Dialect.QUARTZ
                          : Schedule.Cron.Dialect.UNIX)
                  .setDayMatch(
                      rule.days() == DayMatch.BOTH
                          ? Schedule.Cron.DayMatch.BOTH
                          : Schedule.Cron.DayMatch.EITHER));
      case EVERY -> wire.setEvery(TaskAnswers.duration(Duration.parse(rule.text())));
      case DELAY -> wire.setDelayAfter(TaskAnswers.duration(Duration.parse(rule.text())));
      case AT -> wire.setAt(TaskAnswers.timestamp(Instant.parse(rule.text())));
      case RRULE -> wire.setRrule(rule.text());
    }
    wire.setTimeZone(rule.zone());
    wire.getDstBuilder()
        .setGap(rule.gap() == Gap.SKIP ? Schedule.Dst.Gap.SKIP : Schedule.Dst.Gap.RUN_AFTER)
        .setOverlap(
            rule.repeated() == Overlap.BOTH
                ? Schedule.Dst.Overlap.BOTH
                : Schedule.Dst.Overlap.FIRST);
    for (CalendarUse use : rule.calendars()) {
      wire.addCalendars(
          Schedule.CalendarUse.newBuilder()
              .setName(use.calendar().value())
              .setUse(
                  switch (use.kind()) {
                    case ONLY_DURING -> Schedule.CalendarUse.Use.ONLY_DURING;
                    case NOT_DURING -> Schedule.CalendarUse.Use.NOT_DURING;
                    case WORKING_DAYS -> Schedule.CalendarUse.Use.WORKING_DAYS;
                  }));
    }
  }

  private static void bounds(Schedule.Builder wire, Bounds bounds) {
    Instant start = bounds.start();
    if (start != null) {
      wire.setStartAt(TaskAnswers.timestamp(start));
    }
    Instant end = bounds.end();
    if (end != null) {
      wire.setEndAt(TaskAnswers.timestamp(end));
    }
    Long maxRuns = bounds.maxRuns();
    if (maxRuns != null) {
      wire.setMaxRuns(maxRuns);
    }
  }

  private static void policies(Schedule.Policies.Builder wire, Policies policies) {
    CatchUp catchUp = policies.catchUp();
    wire.setOverlap(overlap(policies.overlap())).setPauseOnFailure(policies.pauseOnFailure());
    wire.getCatchUpBuilder()
        .setMode(
            switch (catchUp.mode()) {
              case NONE -> Schedule.CatchUp.Mode.NONE;
              case LATEST -> Schedule.CatchUp.Mode.LATEST;
              case ALL -> Schedule.CatchUp.Mode.ALL;
            })
        .setWindow(TaskAnswers.duration(catchUp.window()))
        .setMax(catchUp.max());
    Duration deadline = policies.deadline();
    if (deadline != null) {
      wire.setStartDeadline(TaskAnswers.duration(deadline));
    }
  }

  private static Schedule.Policies.Overlap overlap(OverlapPolicy overlap) {
    return switch (overlap) {
      case SKIP -> Schedule.Policies.Overlap.SKIP;
      case BUFFER_ONE -> Schedule.Policies.Overlap.BUFFER_ONE;
      case BUFFER_ALL -> Schedule.Policies.Overlap.BUFFER_ALL;
      case CANCEL_OTHER -> Schedule.Policies.Overlap.CANCEL_OTHER;
      case ALLOW_ALL -> Schedule.Policies.Overlap.ALLOW_ALL;
    };
  }

  /** Whose task it is and how it is marked; the usual priority is left out. */
  private static void task(Schedule.Target.Builder wire, Target.Handler target) {
    QueueName queue = target.queue();
    switch (queue.handler()) {
      case PoolName pool -> request(wire, pool, PushRequest.decode(target.details().payload()));
      case HandlerName(String handler) ->
          wire.setHandler(handler).setPayload(Payloads.out(target.details().payload()));
    }
    if (queue.priority() != QueueName.DEFAULT) {
      wire.setPriority(queue.priority());
    }
    if (target.details().key() != null) {
      wire.setKey(target.details().key().value());
    }
    if (target.details().collection() != null) {
      wire.setCollection(target.details().collection().value());
    }
  }

  private static void request(Schedule.Target.Builder wire, PoolName pool, PushRequest request) {
    wire.setPool(PoolAnswers.target(pool.value(), request))
        .setPayload(Payloads.out(request.body()));
  }

  private static void target(Schedule.Builder wire, Target target) {
    switch (target) {
      case Target.Handler handler -> {
        task(wire.getTargetBuilder(), handler);
        if (handler.details().retryPolicy() != null) {
          wire.getPoliciesBuilder()
              .setRetryPolicy(TaskAnswers.policy(handler.details().retryPolicy()));
        }
        Duration timeout = handler.details().executionTimeout();
        if (timeout != null) {
          wire.getPoliciesBuilder().setExecutionTimeout(TaskAnswers.duration(timeout));
        }
      }
      case Target.Topic topic -> {
        Topic.Builder words = Topic.newBuilder().setName(topic.topic().value());
        byte[] key = topic.key();
        if (key != null) {
          words.setKey(ByteString.copyFrom(key));
        }
        for (Header header : HeaderCodec.decode(topic.headers())) {
          byte[] value = header.value();
          words.addHeaders(
              Topic.Header.newBuilder()
                  .setName(header.name())
                  .setValue(value == null ? ByteString.EMPTY : ByteString.copyFrom(value)));
        }
        wire.getTargetBuilder().setTopic(words).setPayload(Payloads.out(topic.value()));
      }
    }
  }
}
