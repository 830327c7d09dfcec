package io.kairos.postgres.schedule;

import io.kairos.domain.schedule.calendar.CalendarName;
import io.kairos.domain.schedule.fire.LastRun;
import io.kairos.domain.schedule.fire.LedgerEntry;
import io.kairos.domain.schedule.fire.Schedule;
import io.kairos.domain.schedule.fire.ScheduleName;
import io.kairos.domain.task.QueueId;
import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.schedule.port.Due;
import io.kairos.engine.schedule.port.StoredCalendar;
import io.kairos.engine.schedule.port.UnreadableSchedule;
import io.kairos.postgres.sql.Batch;
import io.kairos.postgres.sql.BinaryArray;
import io.kairos.postgres.sql.Call;
import io.kairos.postgres.sql.Columns;
import io.kairos.postgres.sql.Sql;
import io.kairos.postgres.task.FiredTasks;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Schedules that are locked, with all that a decision on them depends on. */
final class Dues {
  private static final Sql DUE_LOCK = Sql.load(Dues.class, "due_lock.sql");
  private static final Sql NAMED_LOCK = Sql.load(Dues.class, "named_lock.sql");
  private static final Sql NAME_LOCK = Sql.load(Dues.class, "name_lock.sql");
  private static final Sql READ = Sql.load(Dues.class, "due_read.sql");
  private static final Sql OF_REQUEST = Sql.load(Dues.class, "fire_of_request.sql");

  /** Of payloads that are read at once. */
  private static final long MOST_BYTES = 16 << 20;

  private final List<Due> due = new ArrayList<>();
  private final List<Unreadable> unreadable = new ArrayList<>();
  private Instant now = Instant.EPOCH;

  private Dues() {}

  List<Due> due() {
    return due;
  }

  /** Those that are not among {@link #due}, because their rows mean nothing to this version. */
  List<Unreadable> unreadable() {
    return unreadable;
  }

  /** What can be read of a row all the same. */
  record Unreadable(
      UUID id, ScheduleName name, long generation, long decidedToMicros, RuntimeException why) {
    static Unreadable of(ResultSet row, RuntimeException why) throws SQLException {
      return new Unreadable(
          Rows.id(row).value(),
          new ScheduleName(Rows.text(row, "name")),
          row.getLong("generation"),
          row.getLong("decided_to"),
          why);
    }
  }

  /** The store's clock, after they were locked. */
  Instant now() {
    return now;
  }

  /**
   * At most so many, and no more than payloads fit into memory; others stay locked until the end.
   */
  static Dues comeDue(Connection connection, int limit) throws SQLException {
    try (Call call = DUE_LOCK.on(connection).with("max_schedules", limit)) {
      return come(connection, call);
    }
  }

  /** The same among those of these names that a replicated cron decides. */
  static Dues comeDue(
      Connection connection, Collection<ScheduleName> names, Instant upTo, int limit)
      throws SQLException {
    try (Call call =
        NAMED_LOCK
            .on(connection)
            .with("names", names(names))
            .with("up_to", EpochMicros.of(upTo))
            .with("max_schedules", limit)) {
      return come(connection, call);
    }
  }

  static BinaryArray names(Collection<ScheduleName> names) {
    return Batch.texts(List.copyOf(names), ScheduleName::value);
  }

  private static Dues come(Connection connection, Call lock) throws SQLException {
    List<UUID> ids = new ArrayList<>();
    long bytes = 0;
    try (ResultSet rows = lock.query()) {
      while (rows.next() && bytes < MOST_BYTES) {
        ids.add(Columns.uuid(rows, 1));
        bytes += rows.getLong(2);
      }
    }
    return read(connection, ids.toArray(UUID[]::new), "");
  }

  static Dues named(Connection connection, String name, String request) throws SQLException {
    Dues dues = read(connection, lock(connection, name), request);
    if (!dues.unreadable.isEmpty()) {
      Unreadable one = dues.unreadable.getFirst();
      throw new UnreadableSchedule(one.name(), one.why());
    }
    return dues;
  }

  /** The id of a schedule, which is locked; none when there is no such. */
  static UUID[] lock(Connection connection, String name) throws SQLException {
    try (Call call = NAME_LOCK.on(connection).with("name", name);
        ResultSet row = call.query()) {
      return row.next() ? new UUID[] {Columns.uuid(row, 1)} : new UUID[0];
    }
  }

  /** By a statement of its own, which sees what whoever had them locked before has written. */
  private static Dues read(Connection connection, UUID[] ids, String request) throws SQLException {
    Dues dues = new Dues();
    if (ids.length == 0) {
      return dues;
    }
    List<Read> read = new ArrayList<>();
    try (Call call =
            READ.on(connection)
                .with("ids", BinaryArray.uuids(ids))
                .with("most_counted", Due.MOST_COUNTED);
        ResultSet rows = call.query()) {
      while (rows.next()) {
        dues.now = Rows.instant(rows, "now");
        try {
          read.add(Read.of(rows));
        } catch (RuntimeException e) {
          // Written by a newer version, or by hand: it must not stop the others.
          dues.unreadable.add(Unreadable.of(rows, e));
        }
      }
    }
    List<CalendarName> names =
        read.stream()
            .flatMap(one -> one.schedule.definition().rule().calendarNames().stream())
            .distinct()
            .toList();
    Map<CalendarName, StoredCalendar> calendars = new HashMap<>();
    Calendars.find(connection, names).forEach(calendar -> calendars.put(calendar.name(), calendar));
    for (Read one : read) {
      dues.due.add(one.due(calendars, ofRequest(connection, one.schedule, request)));
    }
    return dues;
  }

  private record Read(
      Schedule schedule, @Nullable QueueId queue, int unfinished, @Nullable LastRun lastRun) {
    static Read of(ResultSet row) throws SQLException {
      int queue = row.getInt("queue_id");
      QueueId queueId = row.wasNull() ? null : new QueueId(queue);
      String state = row.getString("last_state");
      return new Read(
          Rows.schedule(row),
          queueId,
          row.getInt("unfinished"),
          state == null
              ? null
              : new LastRun(FiredTasks.state(state), Rows.instant(row, "last_ended")));
    }

    Due due(Map<CalendarName, StoredCalendar> calendars, List<LedgerEntry> ofRequest) {
      List<StoredCalendar> named = new ArrayList<>();
      for (CalendarName name : schedule.definition().rule().calendarNames()) {
        StoredCalendar calendar = calendars.get(name);
        if (calendar != null) {
          named.add(calendar);
        }
      }
      return new Due(schedule, named, queue, unfinished, lastRun, ofRequest);
    }
  }

  private static List<LedgerEntry> ofRequest(
      Connection connection, Schedule schedule, String request) throws SQLException {
    if (request.isEmpty()) {
      return List.of();
    }
    try (Call call =
            OF_REQUEST
                .on(connection)
                .with("schedule_id", schedule.id().value())
                .with("request", request);
        ResultSet rows = call.query()) {
      return Rows.entries(rows);
    }
  }
}
