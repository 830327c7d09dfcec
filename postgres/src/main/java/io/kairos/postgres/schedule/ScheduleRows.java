package io.kairos.postgres.schedule;

import static java.util.Objects.requireNonNull;

import io.kairos.domain.delay.RouteId;
import io.kairos.domain.schedule.ClockGap;
import io.kairos.domain.schedule.ClockOverlap;
import io.kairos.domain.schedule.RuleBounds;
import io.kairos.domain.schedule.RunSpread;
import io.kairos.domain.schedule.calendar.CalendarName;
import io.kairos.domain.schedule.calendar.CalendarUse;
import io.kairos.domain.schedule.cron.CronDialect;
import io.kairos.domain.schedule.cron.DayMatch;
import io.kairos.domain.schedule.definition.CatchUpPolicy;
import io.kairos.domain.schedule.definition.FirePolicies;
import io.kairos.domain.schedule.definition.FiringStatus;
import io.kairos.domain.schedule.definition.OverlapPolicy;
import io.kairos.domain.schedule.definition.Schedule;
import io.kairos.domain.schedule.definition.ScheduleDecider;
import io.kairos.domain.schedule.definition.ScheduleDefinition;
import io.kairos.domain.schedule.definition.ScheduleId;
import io.kairos.domain.schedule.definition.ScheduleName;
import io.kairos.domain.schedule.definition.ScheduleProgress;
import io.kairos.domain.schedule.definition.ScheduleRule;
import io.kairos.domain.schedule.definition.ScheduleStep;
import io.kairos.domain.schedule.definition.ScheduleTarget;
import io.kairos.domain.schedule.definition.StepCodec;
import io.kairos.domain.schedule.fire.FireCause;
import io.kairos.domain.schedule.fire.FireDecision;
import io.kairos.domain.schedule.fire.LedgerEntry;
import io.kairos.domain.schedule.fire.SkipCause;
import io.kairos.domain.task.OrderingKey;
import io.kairos.domain.task.TaskDetails;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.queue.CollectionName;
import io.kairos.domain.task.queue.QueueName;
import io.kairos.domain.task.queue.TaskHandler;
import io.kairos.domain.task.queue.TopicName;
import io.kairos.domain.time.EpochMicros;
import io.kairos.postgres.sql.NonNullColumns;
import io.kairos.postgres.sql.NullableColumns;
import io.kairos.postgres.task.row.RetryPolicyColumns;
import io.kairos.postgres.task.row.TaskDetailsColumns;
import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads rows of schedules and of the ledger. */
final class ScheduleRows {
  private ScheduleRows() {}

  /** Reads a row of the table with handler, priority and calendars beside it. */
  static Schedule schedule(ResultSet row) throws SQLException {
    return new Schedule(
        id(row),
        new ScheduleName(text(row, "name")),
        definition(row),
        row.getLong("generation"),
        instant(row, "created_at"),
        instant(row, "updated_at"),
        progress(row));
  }

  static ScheduleId id(ResultSet row) throws SQLException {
    return new ScheduleId(NonNullColumns.uuid(row, row.findColumn("id")));
  }

  private static ScheduleDefinition definition(ResultSet row) throws SQLException {
    return new ScheduleDefinition(
        new ScheduleRule(
            ScheduleRule.Kind.valueOf(text(row, "rule_kind")),
            text(row, "rule_text"),
            CronDialect.valueOf(text(row, "dialect")),
            DayMatch.valueOf(text(row, "day_match")),
            text(row, "zone"),
            ClockGap.valueOf(text(row, "gap")),
            ClockOverlap.valueOf(text(row, "repeated")),
            calendars(row)),
        new RuleBounds(
            instantOrNull(row, "start_at"),
            instantOrNull(row, "end_at"),
            longOrNull(row, "max_runs")),
        new RunSpread(duration(row, "spread_micros")),
        target(row),
        new FirePolicies(
            OverlapPolicy.valueOf(text(row, "overlap")),
            new CatchUpPolicy(
                CatchUpPolicy.Mode.valueOf(text(row, "catch_up")),
                duration(row, "catch_up_window_micros"),
                row.getInt("catch_up_max")),
            durationOrNull(row, "deadline_micros"),
            row.getBoolean("pause_on_failure"),
            ScheduleDecider.valueOf(text(row, "decider"))),
        steps(row));
  }

  private static List<ScheduleStep> steps(ResultSet row) throws SQLException {
    byte[] steps = row.getBytes("steps");
    return steps == null ? List.of() : StepCodec.decode(steps, row.getBytes("step_payloads"));
  }

  private static List<CalendarUse> calendars(ResultSet row) throws SQLException {
    Array array = requireNonNull(row.getArray("calendars"));
    List<CalendarUse> uses = new ArrayList<>();
    for (Object element : (Object[]) array.getArray()) {
      String[] words = String.valueOf(element).split(" ", 2);
      uses.add(new CalendarUse(new CalendarName(words[1]), CalendarUse.Kind.valueOf(words[0])));
    }
    return uses;
  }

  private static ScheduleTarget target(ResultSet row) throws SQLException {
    String topic = row.getString("topic");
    byte[] payload = NonNullColumns.bytes(row, row.findColumn("payload"));
    if (topic != null) {
      return new ScheduleTarget.Topic(
          new RouteId(row.getInt("route_id")),
          new TopicName(topic),
          row.getBytes("message_key"),
          payload,
          NonNullColumns.bytes(row, row.findColumn("message_headers")));
    }
    return new ScheduleTarget.Handler(
        new QueueName(TaskHandler.ofWireName(text(row, "handler")), row.getInt("priority")),
        new TaskDetails(
            payload,
            RetryPolicyColumns.own(row, row.findColumn("max_attempts")),
            durationOrNull(row, "execution_timeout_micros"),
            NullableColumns.text(row, row.findColumn("ordering_key"), OrderingKey::new),
            NullableColumns.text(row, row.findColumn("collection"), CollectionName::new),
            null,
            null,
            TaskDetailsColumns.fairness(
                row, row.findColumn("fairness_key"), row.findColumn("fairness_weight"))));
  }

  private static ScheduleProgress progress(ResultSet row) throws SQLException {
    return new ScheduleProgress(
        FiringStatus.valueOf(text(row, "status")),
        text(row, "note"),
        instant(row, "since"),
        instant(row, "decided_to"),
        instantOrNull(row, "next_at"),
        row.getLong("runs"),
        taskOrNull(row, "last_run"));
  }

  /** Reads a row of the ledger. */
  static LedgerEntry entry(ResultSet row) throws SQLException {
    return new LedgerEntry(
        instant(row, "fire_at"),
        text(row, "request"),
        instant(row, "until"),
        longOrNull(row, "count"),
        FireDecision.valueOf(text(row, "decision")),
        NullableColumns.text(row, row.findColumn("reason"), SkipCause::valueOf),
        FireCause.valueOf(text(row, "cause")),
        instant(row, "decided_at"),
        instantOrNull(row, "run_at"),
        taskOrNull(row, "run"));
  }

  static Instant instant(ResultSet row, String column) throws SQLException {
    return EpochMicros.toInstant(row.getLong(column));
  }

  static @Nullable Instant instantOrNull(ResultSet row, String column) throws SQLException {
    return NullableColumns.number(row, row.findColumn(column), EpochMicros::toInstant);
  }

  private static @Nullable Long longOrNull(ResultSet row, String column) throws SQLException {
    return NullableColumns.number(row, row.findColumn(column), Long::valueOf);
  }

  private static Duration duration(ResultSet row, String column) throws SQLException {
    return EpochMicros.toDuration(row.getLong(column));
  }

  private static @Nullable Duration durationOrNull(ResultSet row, String column)
      throws SQLException {
    return NullableColumns.number(row, row.findColumn(column), EpochMicros::toDuration);
  }

  static @Nullable TaskId taskOrNull(ResultSet row, String column) throws SQLException {
    return NullableColumns.uuid(row, row.findColumn(column), TaskId::new);
  }

  static String text(ResultSet row, String column) throws SQLException {
    return NonNullColumns.text(row, row.findColumn(column));
  }
}
