package io.kairos.postgres.schedule;

import io.kairos.domain.schedule.calendar.CalendarName;
import io.kairos.domain.schedule.calendar.CalendarUse;
import io.kairos.domain.schedule.definition.FirePolicies;
import io.kairos.domain.schedule.definition.Schedule;
import io.kairos.domain.schedule.definition.ScheduleDefinition;
import io.kairos.domain.schedule.definition.ScheduleProgress;
import io.kairos.domain.schedule.definition.ScheduleRule;
import io.kairos.domain.schedule.definition.ScheduleStep;
import io.kairos.domain.schedule.definition.ScheduleTarget;
import io.kairos.domain.schedule.definition.StepCodec;
import io.kairos.domain.task.Fairness;
import io.kairos.domain.task.OrderingKey;
import io.kairos.domain.task.RetryPolicy;
import io.kairos.domain.task.TaskDetails;
import io.kairos.domain.task.queue.CollectionName;
import io.kairos.domain.time.EpochMicros;
import io.kairos.postgres.sql.BinaryArray;
import io.kairos.postgres.sql.ColumnBatch;
import io.kairos.postgres.sql.NonNullColumns;
import io.kairos.postgres.sql.SqlCall;
import io.kairos.postgres.sql.SqlStatement;
import io.kairos.postgres.task.FiredTasks;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Writes definitions of schedules and the calendars that they name. */
final class DefinitionRows {
  private static final SqlStatement INSERT = SqlStatement.load("schedule/insert.sql");
  private static final SqlStatement WRITE = SqlStatement.load("schedule/definition_write.sql");
  private static final SqlStatement USE = SqlStatement.load("schedule/calendar_use.sql");
  private static final SqlStatement UNUSE = SqlStatement.load("schedule/calendar_unuse.sql");
  private static final SqlStatement LOCK_CALENDARS =
      SqlStatement.load("schedule/calendar_lock.sql");

  private DefinitionRows() {}

  /**
   * Returns the first of these calendars that does not exist. Keeps the others from being deleted.
   */
  static Optional<CalendarName> missing(Connection connection, List<CalendarName> names) {
    if (names.isEmpty()) {
      return Optional.empty();
    }
    Set<CalendarName> found =
        LOCK_CALENDARS
            .on(connection)
            .with("names", names(names))
            .set(row -> new CalendarName(NonNullColumns.text(row, 1)));
    return names.stream().filter(name -> !found.contains(name)).findFirst();
  }

  static BinaryArray names(List<CalendarName> names) {
    return ColumnBatch.texts(names.stream().sorted().toList(), CalendarName::value);
  }

  /**
   * Stores a schedule.
   *
   * @return false when its name is taken
   */
  static boolean insert(Connection connection, Schedule schedule) {
    ScheduleProgress progress = schedule.progress();
    int inserted =
        bind(connection, INSERT.on(connection), schedule)
            .with("name", schedule.name().value())
            .with("created_at", EpochMicros.of(schedule.createdAt()))
            .with("status", progress.status().name())
            .with("note", progress.note())
            .with("since", EpochMicros.of(progress.since()))
            .with("decided_to", EpochMicros.of(progress.decidedTo()))
            .with("next_at", micros(progress.nextAt()))
            .with("runs", progress.runs())
            .update();
    if (inserted > 0) {
      use(connection, schedule);
      StepRows.insert(connection, schedule);
    }
    return inserted > 0;
  }

  static void write(Connection connection, Schedule schedule) {
    bind(connection, WRITE.on(connection), schedule).update();
    UNUSE.on(connection).with("id", schedule.id().value()).update();
    use(connection, schedule);
    StepRows.replace(connection, schedule);
  }

  private static void use(Connection connection, Schedule schedule) {
    List<CalendarUse> uses = schedule.definition().rule().calendars();
    if (uses.isEmpty()) {
      return;
    }
    USE.on(connection)
        .with("id", schedule.id().value())
        .with("calendars", ColumnBatch.texts(uses, use -> use.calendar().value()))
        .with("kinds", ColumnBatch.texts(uses, use -> use.kind().name()))
        .update();
  }

  private static SqlCall bind(Connection connection, SqlCall call, Schedule schedule) {
    ScheduleDefinition definition = schedule.definition();
    ScheduleRule rule = definition.rule();
    FirePolicies policies = definition.policies();
    call.with("id", schedule.id().value())
        .with("generation", schedule.generation())
        .with("updated_at", EpochMicros.of(schedule.updatedAt()))
        .with("rule_kind", rule.kind().name())
        .with("rule_text", rule.text())
        .with("dialect", rule.dialect().name())
        .with("day_match", rule.days().name())
        .with("zone", rule.zone())
        .with("gap", rule.gap().name())
        .with("repeated", rule.repeated().name())
        .with("start_at", micros(definition.bounds().start()))
        .with("end_at", micros(definition.bounds().end()))
        .with("max_runs", definition.bounds().maxRuns())
        .with("spread_micros", EpochMicros.lengthOf(definition.spread().window()))
        .with("overlap", policies.overlap().name())
        .with("catch_up", policies.catchUp().mode().name())
        .with("catch_up_window_micros", EpochMicros.lengthOf(policies.catchUp().window()))
        .with("catch_up_max", policies.catchUp().max())
        .with("deadline_micros", length(policies.deadline()))
        .with("pause_on_failure", policies.pauseOnFailure())
        .with("decider", policies.decider().name());
    List<ScheduleStep> steps = definition.steps();
    call.with("steps", steps.isEmpty() ? null : StepCodec.encode(steps))
        .with("step_payloads", steps.isEmpty() ? null : StepCodec.payloads(steps));
    return switch (definition.target()) {
      case ScheduleTarget.Handler handler -> bind(connection, call, handler);
      case ScheduleTarget.Topic topic -> bind(call, topic);
    };
  }

  private static SqlCall bind(Connection connection, SqlCall call, ScheduleTarget.Handler target) {
    TaskDetails details = target.details();
    RetryPolicy policy = details.retryPolicy();
    Fairness fairness = details.fairness();
    return call.withOptional("queue_id", FiredTasks.queue(connection, target.queue()).value())
        .withNulls("route_id", "topic", "message_key", "message_headers")
        .with("payload", details.payload())
        .withOptional("max_attempts", policy == null ? null : policy.maxAttempts())
        .with("backoff_initial_micros", policy == null ? null : length(policy.initial()))
        .withOptional("backoff_factor", policy == null ? null : policy.factor())
        .with("backoff_max_micros", policy == null ? null : length(policy.max()))
        .with("execution_timeout_micros", length(details.executionTimeout()))
        .with("ordering_key", details.key(), OrderingKey::value)
        .with("collection", details.collection(), CollectionName::value)
        .with("fairness_key", fairness, Fairness::key)
        .withOptional("fairness_weight", fairness == null ? null : fairness.weight());
  }

  private static SqlCall bind(SqlCall call, ScheduleTarget.Topic target) {
    return call.withOptional("route_id", target.route().value())
        .with("topic", target.topic().value())
        .with("payload", target.value())
        .with("message_key", target.key())
        .with("message_headers", target.headers())
        .withNulls("queue_id", "max_attempts", "execution_timeout_micros")
        .withNulls("backoff_initial_micros", "backoff_factor", "backoff_max_micros")
        .withNulls("ordering_key", "collection", "fairness_key", "fairness_weight");
  }

  static @Nullable Long micros(@Nullable Instant instant) {
    return instant == null ? null : (Long) EpochMicros.of(instant);
  }

  private static @Nullable Long length(@Nullable Duration duration) {
    return duration == null ? null : (Long) EpochMicros.lengthOf(duration);
  }
}
