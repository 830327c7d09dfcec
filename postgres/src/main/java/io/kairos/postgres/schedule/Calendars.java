package io.kairos.postgres.schedule;

import io.kairos.domain.schedule.calendar.CalendarName;
import io.kairos.domain.schedule.fire.CalendarText;
import io.kairos.engine.schedule.port.CalendarDeletion;
import io.kairos.engine.schedule.port.StoredCalendar;
import io.kairos.postgres.sql.BinaryArray;
import io.kairos.postgres.sql.Call;
import io.kairos.postgres.sql.Columns;
import io.kairos.postgres.sql.Sql;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The calendars that schedules share. */
final class Calendars {
  private static final Sql FIND = Sql.load(Calendars.class, "calendar_find.sql");
  private static final Sql LIST = Sql.load(Calendars.class, "calendar_list.sql");
  private static final Sql PUT = Sql.load(Calendars.class, "calendar_put.sql");
  private static final Sql USERS = Sql.load(Calendars.class, "calendar_users.sql");
  private static final Sql WAKE = Sql.load(Calendars.class, "wake.sql");
  private static final Sql TAKE = Sql.load(Calendars.class, "calendar_take.sql");
  private static final Sql DELETE = Sql.load(Calendars.class, "calendar_delete.sql");
  private static final long ANY = -1;
  private static final int WOKEN_AT_ONCE = 1_000;

  private Calendars() {}

  static List<StoredCalendar> find(Connection connection, List<CalendarName> names)
      throws SQLException {
    if (names.isEmpty()) {
      return List.of();
    }
    try (Call call = FIND.on(connection).with("names", Definitions.names(names))) {
      return read(call);
    }
  }

  static List<StoredCalendar> list(Connection connection, @Nullable CalendarName after, int limit)
      throws SQLException {
    try (Call call =
        LIST.on(connection)
            .with("after", after == null ? "" : after.value())
            .with("max_calendars", limit)) {
      return read(call);
    }
  }

  private static List<StoredCalendar> read(Call call) throws SQLException {
    List<StoredCalendar> calendars = new ArrayList<>();
    try (ResultSet rows = call.query()) {
      while (rows.next()) {
        calendars.add(
            new StoredCalendar(
                new CalendarName(Columns.text(rows, 1)),
                new CalendarText(Columns.text(rows, 2)),
                rows.getLong(3)));
      }
    }
    return calendars;
  }

  /** Needs a transaction. */
  static Optional<StoredCalendar> put(
      Connection connection, CalendarName name, CalendarText text, @Nullable Long generation)
      throws SQLException {
    try (Call call =
            PUT.on(connection)
                .with("name", name.value())
                .with("days", text.value())
                .with("generation", generation == null ? ANY : (long) generation);
        ResultSet row = call.query()) {
      return row.next()
          ? Optional.of(new StoredCalendar(name, text, row.getLong(1)))
          : Optional.empty();
    }
  }

  /** Needs a transaction: has those that name it looked at now, some at a time. */
  static void wakeUsers(Connection connection, CalendarName name) throws SQLException {
    SortedSet<String> ids = new TreeSet<>(); // as the store sorts them
    try (Call call = USERS.on(connection).with("name", name.value());
        ResultSet rows = call.query()) {
      while (rows.next()) {
        ids.add(Columns.uuid(rows, 1).toString());
      }
    }
    List<UUID> sorted = ids.stream().map(UUID::fromString).toList();
    for (int from = 0; from < sorted.size(); from += WOKEN_AT_ONCE) {
      List<UUID> some = sorted.subList(from, Math.min(sorted.size(), from + WOKEN_AT_ONCE));
      try (Call call =
          WAKE.on(connection).with("ids", BinaryArray.uuids(some.toArray(UUID[]::new)))) {
        call.update();
      }
    }
  }

  /** Needs a transaction: once it is locked, nobody can begin to name it. */
  static CalendarDeletion delete(Connection connection, CalendarName name) throws SQLException {
    try (Call call = TAKE.on(connection).with("name", name.value());
        ResultSet row = call.query()) {
      if (!row.next()) {
        return CalendarDeletion.UNKNOWN;
      }
    }
    try (Call call = DELETE.on(connection).with("name", name.value())) {
      return call.update() == 0 ? CalendarDeletion.IN_USE : CalendarDeletion.DELETED;
    }
  }
}
