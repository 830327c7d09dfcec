package io.kairos.postgres.schedule;

import static java.util.Objects.requireNonNull;

import io.kairos.domain.delay.RouteId;
import io.kairos.domain.schedule.Bounds;
import io.kairos.domain.schedule.Gap;
import io.kairos.domain.schedule.Overlap;
import io.kairos.domain.schedule.Spread;
import io.kairos.domain.schedule.calendar.CalendarName;
import io.kairos.domain.schedule.calendar.CalendarUse;
import io.kairos.domain.schedule.cron.DayMatch;
import io.kairos.domain.schedule.cron.Dialect;
import io.kairos.domain.schedule.fire.CatchUp;
import io.kairos.domain.schedule.fire.Cause;
import io.kairos.domain.schedule.fire.DecidedBy;
import io.kairos.domain.schedule.fire.Decision;
import io.kairos.domain.schedule.fire.Definition;
import io.kairos.domain.schedule.fire.LedgerEntry;
import io.kairos.domain.schedule.fire.OverlapPolicy;
import io.kairos.domain.schedule.fire.Policies;
import io.kairos.domain.schedule.fire.Progress;
import io.kairos.domain.schedule.fire.Reason;
import io.kairos.domain.schedule.fire.Rule;
import io.kairos.domain.schedule.fire.Schedule;
import io.kairos.domain.schedule.fire.ScheduleId;
import io.kairos.domain.schedule.fire.ScheduleName;
import io.kairos.domain.schedule.fire.Status;
import io.kairos.domain.schedule.fire.Target;
import io.kairos.domain.task.CollectionName;
import io.kairos.domain.task.OrderingKey;
import io.kairos.domain.task.QueueName;
import io.kairos.domain.task.RetryPolicy;
import io.kairos.domain.task.TaskDetails;
import io.kairos.domain.task.TaskHandler;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.TopicName;
import io.kairos.domain.time.EpochMicros;
import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Rows of schedules and of the ledger as what they stand for. */
final class Rows {
  private static final String NULL = "the schema allows no null here";

  private Rows() {}

  /** A row of the table with handler, priority and calendars beside it. */
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
    return new ScheduleId(requireNonNull(row.getObject("id", UUID.class), NULL));
  }

  private static Definition definition(ResultSet row) throws SQLException {
    return new Definition(
        new Rule(
            Rule.Kind.valueOf(text(row, "rule_kind")),
            text(row, "rule_text"),
            Dialect.valueOf(text(row, "dialect")),
            DayMatch.valueOf(text(row, "day_match")),
            text(row, "zone"),
            Gap.valueOf(text(row, "gap")),
            Overlap.valueOf(text(row, "repeated")),
            calendars(row)),
        new Bounds(
            instantOrNull(row, "start_at"),
            instantOrNull(row, "end_at"),
            longOrNull(row, "max_runs")),
        new Spread(duration(row.getLong("spread_micros"))),
        target(row),
        new Policies(
            OverlapPolicy.valueOf(text(row, "overlap")),
            new CatchUp(
                CatchUp.Mode.valueOf(text(row, "catch_up")),
                duration(row.getLong("catch_up_window_micros")),
                row.getInt("catch_up_max")),
            durationOrNull(row, "deadline_micros"),
            row.getBoolean("pause_on_failure"),
            DecidedBy.valueOf(text(row, "decider"))));
  }

  private static List<CalendarUse> calendars(ResultSet row) throws SQLException {
    Array array = requireNonNull(row.getArray("calendars"), NULL);
    List<CalendarUse> uses = new ArrayList<>();
    for (Object element : (Object[]) array.getArray()) {
      String[] words = String.valueOf(element).split(" ", 2);
      uses.add(new CalendarUse(new CalendarName(words[1]), CalendarUse.Kind.valueOf(words[0])));
    }
    return uses;
  }

  private static Target target(ResultSet row) throws SQLException {
    String topic = row.getString("topic");
    byte[] payload = requireNonNull(row.getBytes("payload"), NULL);
    if (topic != null) {
      return new Target.Topic(
          new RouteId(row.getInt("route_id")),
          new TopicName(topic),
          row.getBytes("message_key"),
          payload,
          requireNonNull(row.getBytes("message_headers"), NULL));
    }
    String key = row.getString("ordering_key");
    String collection = row.getString("collection");
    return new Target.Handler(
        new QueueName(TaskHandler.ofWireName(text(row, "handler")), row.getInt("priority")),
        new TaskDetails(
            payload,
            retryPolicy(row),
            durationOrNull(row, "execution_timeout_micros"),
            key == null ? null : new OrderingKey(key),
            collection == null ? null : new CollectionName(collection),
            null,
            null));
  }

  private static @Nullable RetryPolicy retryPolicy(ResultSet row) throws SQLException {
    int maxAttempts = row.getInt("max_attempts");
    return row.wasNull()
        ? null
        : new RetryPolicy(
            maxAttempts,
            duration(row.getLong("backoff_initial_micros")),
            row.getDouble("backoff_factor"),
            duration(row.getLong("backoff_max_micros")));
  }

  private static Progress progress(ResultSet row) throws SQLException {
    return new Progress(
        Status.valueOf(text(row, "status")),
        text(row, "note"),
        instant(row, "since"),
        instant(row, "decided_to"),
        instantOrNull(row, "next_at"),
        row.getLong("runs"),
        taskOrNull(row, "last_run"));
  }

  /** A row of the ledger. */
  static LedgerEntry entry(ResultSet row) throws SQLException {
    String reason = row.getString("reason");
    return new LedgerEntry(
        instant(row, "fire_at"),
        text(row, "request"),
        instant(row, "until"),
        longOrNull(row, "count"),
        Decision.valueOf(text(row, "decision")),
        reason == null ? null : Reason.valueOf(reason),
        Cause.valueOf(text(row, "cause")),
        instant(row, "decided_at"),
        instantOrNull(row, "run_at"),
        taskOrNull(row, "run"));
  }

  static List<LedgerEntry> entries(ResultSet rows) throws SQLException {
    List<LedgerEntry> entries = new ArrayList<>();
    while (rows.next()) {
      entries.add(entry(rows));
    }
    return entries;
  }

  static Instant instant(ResultSet row, String column) throws SQLException {
    return EpochMicros.toInstant(row.getLong(column));
  }

  static @Nullable Instant instantOrNull(ResultSet row, String column) throws SQLException {
    Long micros = longOrNull(row, column);
    return micros == null ? null : EpochMicros.toInstant(micros);
  }

  private static @Nullable Long longOrNull(ResultSet row, String column) throws SQLException {
    long value = row.getLong(column);
    return row.wasNull() ? null : (Long) value;
  }

  private static Duration duration(long micros) {
    return Duration.of(micros, ChronoUnit.MICROS);
  }

  private static @Nullable Duration durationOrNull(ResultSet row, String column)
      throws SQLException {
    Long micros = longOrNull(row, column);
    return micros == null ? null : duration(micros);
  }

  private static @Nullable TaskId taskOrNull(ResultSet row, String column) throws SQLException {
    UUID id = row.getObject(column, UUID.class);
    return id == null ? null : new TaskId(id);
  }

  static String text(ResultSet row, String column) throws SQLException {
    return requireNonNull(row.getString(column), NULL);
  }
}
