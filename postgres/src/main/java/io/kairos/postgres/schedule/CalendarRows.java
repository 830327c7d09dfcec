package io.kairos.postgres.schedule;

import io.kairos.domain.schedule.calendar.CalendarName;
import io.kairos.domain.schedule.calendar.CalendarText;
import io.kairos.engine.schedule.port.CalendarDeletion;
import io.kairos.engine.schedule.port.StoredCalendar;
import io.kairos.postgres.sql.ColumnBatch;
import io.kairos.postgres.sql.NonNullColumns;
import io.kairos.postgres.sql.SqlCall;
import io.kairos.postgres.sql.SqlStatement;
import java.sql.Connection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The calendars that schedules share. */
final class CalendarRows {
  private static final SqlStatement FIND = SqlStatement.load("schedule/calendar_find.sql");
  private static final SqlStatement LIST = SqlStatement.load("schedule/calendar_list.sql");
  private static final SqlStatement PUT = SqlStatement.load("schedule/calendar_put.sql");
  private static final SqlStatement USERS = SqlStatement.load("schedule/calendar_users.sql");
  private static final SqlStatement WAKE = SqlStatement.load("schedule/wake.sql");
  private static final SqlStatement TAKE = SqlStatement.load("schedule/calendar_take.sql");
  private static final SqlStatement DELETE = SqlStatement.load("schedule/calendar_delete.sql");
  private static final long ANY = -1;
  private static final int WOKEN_AT_ONCE = 1_000;

  private CalendarRows() {}

  static List<StoredCalendar> find(Connection connection, List<CalendarName> names) {
    if (names.isEmpty()) {
      return List.of();
    }
    return read(FIND.on(connection).with("names", DefinitionRows.names(names)));
  }

  static List<StoredCalendar> list(Connection connection, @Nullable CalendarName after, int limit) {
    return read(
        LIST.on(connection)
            .with("after", after == null ? "" : after.value())
            .with("max_calendars", limit));
  }

  private static List<StoredCalendar> read(SqlCall call) {
    return call.list(row ->
        new StoredCalendar(
            new CalendarName(NonNullColumns.text(row, 1)),
            new CalendarText(NonNullColumns.text(row, 2)),
            row.getLong(3)));
  }

  /** Stores a calendar, unless the stored one has another generation. Needs a transaction. */
  static Optional<StoredCalendar> put(
      Connection connection, CalendarName name, CalendarText text, @Nullable Long generation) {
    return PUT.on(connection)
        .with("name", name.value())
        .with("days", text.value())
        .with("generation", generation == null ? ANY : (long) generation)
        .optional(row -> new StoredCalendar(name, text, row.getLong(1)));
  }

  /**
   * Makes schedules that name a calendar due for a decision now, some at a time. Needs a
   * transaction.
   */
  static void wakeUsers(Connection connection, CalendarName name) {
    List<UUID> sorted =
        USERS
            .on(connection)
            .with("name", name.value())
            .list(row -> NonNullColumns.uuid(row, 1))
            .stream()
            .distinct()
            .toList();
    for (int from = 0; from < sorted.size(); from += WOKEN_AT_ONCE) {
      List<UUID> some = sorted.subList(from, Math.min(sorted.size(), from + WOKEN_AT_ONCE));
      WAKE.on(connection).with("ids", ColumnBatch.uuids(some, id -> id)).update();
    }
  }

  /**
   * Deletes a calendar that no schedule names. Needs a transaction: while the calendar is locked,
   * no schedule can begin to name it.
   */
  static CalendarDeletion delete(Connection connection, CalendarName name) {
    if (!TAKE.on(connection).with("name", name.value()).any()) {
      return CalendarDeletion.UNKNOWN;
    }
    return DELETE.on(connection).with("name", name.value()).update() == 0
        ? CalendarDeletion.IN_USE
        : CalendarDeletion.DELETED;
  }
}
