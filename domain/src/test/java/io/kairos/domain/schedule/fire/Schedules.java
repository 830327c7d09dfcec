package io.kairos.domain.schedule.fire;

import io.kairos.domain.schedule.Bounds;
import io.kairos.domain.schedule.Spread;
import io.kairos.domain.task.HandlerName;
import io.kairos.domain.task.QueueName;
import io.kairos.domain.task.TaskDetails;
import io.kairos.domain.task.TaskState;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Schedules for tests, created at {@link #CREATED}. */
final class Schedules {
  static final Instant CREATED = Instant.parse("2026-03-01T00:00:00Z");
  static final ScheduleId ID = new ScheduleId(new UUID(1, 2));
  static final ScheduleName NAME = new ScheduleName("nightly");

  private Schedules() {}

  static Definition definition(Rule rule, Policies policies) {
    return definition(rule, policies, new byte[0]);
  }

  static Definition definition(Rule rule, Policies policies, byte[] payload) {
    return new Definition(
        rule,
        Bounds.NONE,
        Spread.NONE,
        new Target.Handler(
            new QueueName(new HandlerName("report"), QueueName.DEFAULT), TaskDetails.of(payload)),
        policies);
  }

  static Definition every(Duration period, Policies policies) {
    return definition(Rule.of(Rule.Kind.EVERY, period.toString()), policies);
  }

  static Definition cron(String expression, Policies policies) {
    return definition(Rule.of(Rule.Kind.CRON, expression), policies);
  }

  static Timetable timetable(Definition definition) {
    return new RuleTimetable(definition.timeRule(NAME, CREATED), Map.of());
  }

  static Schedule begun(Definition definition) {
    return Changing.begin(ID, NAME, definition, timetable(definition), CREATED).orElseThrow();
  }

  static Situation at(Schedule schedule, Instant now, int unfinished) {
    return at(schedule, now, unfinished, null);
  }

  static Situation at(Schedule schedule, Instant now, int unfinished, @Nullable LastRun lastRun) {
    return new Situation(schedule, timetable(schedule.definition()), unfinished, lastRun, now);
  }

  static LastRun ended(TaskState state, Instant at) {
    return new LastRun(state, at);
  }
}
