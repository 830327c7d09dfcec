package io.kairos.domain.schedule.fire;

import io.kairos.domain.schedule.RuleBounds;
import io.kairos.domain.schedule.RunSpread;
import io.kairos.domain.schedule.definition.FirePolicies;
import io.kairos.domain.schedule.definition.Schedule;
import io.kairos.domain.schedule.definition.ScheduleDefinition;
import io.kairos.domain.schedule.definition.ScheduleId;
import io.kairos.domain.schedule.definition.ScheduleName;
import io.kairos.domain.schedule.definition.ScheduleRule;
import io.kairos.domain.schedule.definition.ScheduleTarget;
import io.kairos.domain.task.TaskDetails;
import io.kairos.domain.task.TaskState;
import io.kairos.domain.task.queue.HandlerName;
import io.kairos.domain.task.queue.QueueName;
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

  static ScheduleDefinition definition(ScheduleRule rule, FirePolicies policies) {
    return definition(rule, policies, new byte[0]);
  }

  static ScheduleDefinition definition(ScheduleRule rule, FirePolicies policies, byte[] payload) {
    return new ScheduleDefinition(
        rule,
        RuleBounds.NONE,
        RunSpread.NONE,
        new ScheduleTarget.Handler(
            new QueueName(new HandlerName("report"), QueueName.DEFAULT), TaskDetails.of(payload)),
        policies);
  }

  static ScheduleDefinition every(Duration period, FirePolicies policies) {
    return definition(ScheduleRule.of(ScheduleRule.Kind.EVERY, period.toString()), policies);
  }

  static ScheduleDefinition cron(String expression, FirePolicies policies) {
    return definition(ScheduleRule.of(ScheduleRule.Kind.CRON, expression), policies);
  }

  static Timetable timetable(ScheduleDefinition definition) {
    return new RuleTimetable(definition.timeRule(NAME, CREATED), Map.of());
  }

  static Schedule begun(ScheduleDefinition definition) {
    return ScheduleRevision.begin(ID, NAME, definition, timetable(definition), CREATED)
        .orElseThrow();
  }

  static DecisionInput at(Schedule schedule, Instant now, int unfinished) {
    return at(schedule, now, unfinished, null);
  }

  static DecisionInput at(
      Schedule schedule, Instant now, int unfinished, @Nullable LastRun lastRun) {
    return new DecisionInput(schedule, timetable(schedule.definition()), unfinished, lastRun, now);
  }

  static LastRun ended(TaskState state, Instant at) {
    return new LastRun(state, at);
  }
}
