package io.kairos.postgres.schedule;

import io.kairos.domain.schedule.calendar.CalendarName;
import io.kairos.domain.schedule.calendar.CalendarUse;
import io.kairos.domain.schedule.fire.Definition;
import io.kairos.domain.schedule.fire.Policies;
import io.kairos.domain.schedule.fire.Progress;
import io.kairos.domain.schedule.fire.Rule;
import io.kairos.domain.schedule.fire.Schedule;
import io.kairos.domain.schedule.fire.Target;
import io.kairos.domain.task.CollectionName;
import io.kairos.domain.task.OrderingKey;
import io.kairos.domain.task.RetryPolicy;
import io.kairos.domain.task.TaskDetails;
import io.kairos.domain.time.EpochMicros;
import io.kairos.postgres.sql.Batch;
import io.kairos.postgres.sql.BinaryArray;
import io.kairos.postgres.sql.Call;
import io.kairos.postgres.sql.Columns;
import io.kairos.postgres.sql.Sql;
import io.kairos.postgres.task.FiredTasks;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Writes definitions of schedules, with the calendars that they name. */
final class Definitions {
  private static final Sql INSERT = Sql.load(Definitions.class, "insert.sql");
  private static final Sql WRITE = Sql.load(Definitions.class, "definition_write.sql");
  private static final Sql USE = Sql.load(Definitions.class, "calendar_use.sql");
  private static final Sql UNUSE = Sql.load(Definitions.class, "calendar_unuse.sql");
  private static final Sql LOCK_CALENDARS = Sql.load(Definitions.class, "calendar_lock.sql");

  private Definitions() {}

  /** The first calendar that there is not; all of them are kept from being deleted. */
  static Optional<CalendarName> missing(Connection connection, List<CalendarName> names)
      throws SQLException {
    if (names.isEmpty()) {
      return Optional.empty();
    }
    Set<CalendarName> found = new HashSet<>();
    try (Call call = LOCK_CALENDARS.on(connection).with("names", names(names));
        ResultSet rows = call.query()) {
      while (rows.next()) {
        found.add(new CalendarName(Columns.text(rows, 1)));
      }
    }
    return names.stream().filter(name -> !found.contains(name)).findFirst();
  }

  static BinaryArray names(List<CalendarName> names) {
    return Batch.texts(names.stream().sorted().toList(), CalendarName::value);
  }

  /** Returns whether it is stored: its name is not taken. */
  static boolean insert(Connection connection, Schedule schedule) throws SQLException {
    Progress progress = schedule.progress();
    try (Call call =
        bind(connection, INSERT.on(connection), schedule)
            .with("name", schedule.name().value())
            .with("created_at", EpochMicros.of(schedule.createdAt()))
            .with("status", progress.status().name())
            .with("note", progress.note())
            .with("since", EpochMicros.of(progress.since()))
            .with("decided_to", EpochMicros.of(progress.decidedTo()))
            .with("next_at", micros(progress.nextAt()))
            .with("runs", progress.runs())) {
      if (call.update() == 0) {
        return false;
      }
    }
    use(connection, schedule);
    return true;
  }

  static void write(Connection connection, Schedule schedule) throws SQLException {
    try (Call call = bind(connection, WRITE.on(connection), schedule)) {
      call.update();
    }
    try (Call call = UNUSE.on(connection).with("id", schedule.id().value())) {
      call.update();
    }
    use(connection, schedule);
  }

  private static void use(Connection connection, Schedule schedule) throws SQLException {
    List<CalendarUse> uses = schedule.definition().rule().calendars();
    if (uses.isEmpty()) {
      return;
    }
    try (Call call =
        USE.on(connection)
            .with("id", schedule.id().value())
            .with("calendars", Batch.texts(uses, use -> use.calendar().value()))
            .with("kinds", Batch.texts(uses, use -> use.kind().name()))) {
      call.update();
    }
  }

  private static Call bind(Connection connection, Call call, Schedule schedule)
      throws SQLException {
    Definition definition = schedule.definition();
    Rule rule = definition.rule();
    Policies policies = definition.policies();
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
    return switch (definition.target()) {
      case Target.Handler handler -> bind(connection, call, handler);
      case Target.Topic topic -> bind(call, topic);
    };
  }

  private static Call bind(Connection connection, Call call, Target.Handler target)
      throws SQLException {
    TaskDetails details = target.details();
    RetryPolicy policy = details.retryPolicy();
    OrderingKey key = details.key();
    CollectionName collection = details.collection();
    return call.withOptional("queue_id", FiredTasks.queue(connection, target.queue()).value())
        .withOptional("route_id", null)
        .with("topic", (String) null)
        .with("payload", details.payload())
        .with("message_key", (byte[]) null)
        .with("message_headers", (byte[]) null)
        .withOptional("max_attempts", policy == null ? null : policy.maxAttempts())
        .with("backoff_initial_micros", policy == null ? null : length(policy.initial()))
        .withOptional("backoff_factor", policy == null ? null : policy.factor())
        .with("backoff_max_micros", policy == null ? null : length(policy.max()))
        .with("execution_timeout_micros", length(details.executionTimeout()))
        .with("ordering_key", key == null ? null : key.value())
        .with("collection", collection == null ? null : collection.value());
  }

  private static Call bind(Call call, Target.Topic target) throws SQLException {
    return call.withOptional("queue_id", null)
        .withOptional("route_id", target.route().value())
        .with("topic", target.topic().value())
        .with("payload", target.value())
        .with("message_key", target.key())
        .with("message_headers", target.headers())
        .withOptional("max_attempts", null)
        .with("backoff_initial_micros", (Long) null)
        .withOptional("backoff_factor", null)
        .with("backoff_max_micros", (Long) null)
        .with("execution_timeout_micros", (Long) null)
        .with("ordering_key", (String) null)
        .with("collection", (String) null);
  }

  static @Nullable Long micros(@Nullable Instant instant) {
    return instant == null ? null : (Long) EpochMicros.of(instant);
  }

  private static @Nullable Long length(@Nullable Duration duration) {
    return duration == null ? null : (Long) EpochMicros.lengthOf(duration);
  }
}
