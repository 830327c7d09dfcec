package io.kairos.postgres.schedule;

import static java.util.Objects.requireNonNull;

import io.kairos.domain.schedule.calendar.CalendarName;
import io.kairos.domain.schedule.definition.Schedule;
import io.kairos.domain.schedule.definition.ScheduleId;
import io.kairos.domain.schedule.definition.ScheduleName;
import io.kairos.domain.schedule.fire.LastRun;
import io.kairos.domain.schedule.fire.LedgerEntry;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.queue.QueueId;
import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.schedule.port.DueSchedule;
import io.kairos.engine.schedule.port.NamedFiring;
import io.kairos.engine.schedule.port.StoredCalendar;
import io.kairos.engine.schedule.port.UnreadableSchedule;
import io.kairos.postgres.sql.BinaryArray;
import io.kairos.postgres.sql.ColumnBatch;
import io.kairos.postgres.sql.NonNullColumns;
import io.kairos.postgres.sql.NullableColumns;
import io.kairos.postgres.sql.SqlCall;
import io.kairos.postgres.sql.SqlStatement;
import io.kairos.postgres.task.row.TaskStateColumn;
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

/** Schedules that are locked, and all on which a decision on them depends. */
final class DueRows {
  private static final SqlStatement DUE_LOCK = SqlStatement.load("schedule/due_lock.sql");
  private static final SqlStatement NAMED_LOCK = SqlStatement.load("schedule/named_lock.sql");
  private static final SqlStatement NAME_LOCK = SqlStatement.load("schedule/name_lock.sql");
  private static final SqlStatement READ = SqlStatement.load("schedule/due_read.sql");
  private static final SqlStatement OF_REQUEST = SqlStatement.load("schedule/fire_of_request.sql");

  /** The most bytes of payloads that are read at once. */
  private static final long MOST_BYTES = 16 << 20;

  private final List<DueSchedule> due = new ArrayList<>();
  private final List<Unreadable> unreadable = new ArrayList<>();
  private final Map<ScheduleId, TaskId> turns = new HashMap<>();
  private Instant now = Instant.EPOCH;

  private DueRows() {}

  List<DueSchedule> due() {
    return due;
  }

  /** The runs for which the next runs of these schedules wait, of those that have such. */
  Map<ScheduleId, TaskId> turns() {
    return turns;
  }

  /** Schedules that are not in {@link #due}, because this version cannot read their rows. */
  List<Unreadable> unreadable() {
    return unreadable;
  }

  /** The columns of such a row that can be read. */
  record Unreadable(
      UUID id, ScheduleName name, long generation, long decidedToMicros, RuntimeException why) {
    static Unreadable of(ResultSet row, RuntimeException why) throws SQLException {
      return new Unreadable(
          ScheduleRows.id(row).value(),
          new ScheduleName(ScheduleRows.text(row, "name")),
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
   * Locks schedules that are due, and reads as many as the bound on payloads allows. The others
   * stay locked until the end of the transaction.
   */
  static DueRows comeDue(Connection connection, int limit) {
    return come(connection, DUE_LOCK.on(connection).with("max_schedules", limit));
  }

  /** Locks and reads the schedules among those named that a replicated cron decides. */
  static DueRows comeDue(Connection connection, NamedFiring which) {
    return come(
        connection,
        NAMED_LOCK
            .on(connection)
            .with("names", names(which.names()))
            .with("up_to", EpochMicros.of(which.upTo()))
            .with("max_schedules", which.limit()));
  }

  static BinaryArray names(Collection<ScheduleName> names) {
    return ColumnBatch.texts(names, ScheduleName::value);
  }

  private record Locked(UUID id, long payloadBytes) {}

  private static DueRows come(Connection connection, SqlCall lock) {
    List<UUID> ids = new ArrayList<>();
    long bytes = 0;
    for (Locked one : lock.list(row -> new Locked(NonNullColumns.uuid(row, 1), row.getLong(2)))) {
      if (bytes < MOST_BYTES) {
        ids.add(one.id);
        bytes += one.payloadBytes;
      }
    }
    return read(connection, ids, "");
  }

  static DueRows named(Connection connection, String name, String request) {
    DueRows dues = read(connection, lock(connection, name), request);
    if (!dues.unreadable.isEmpty()) {
      Unreadable one = dues.unreadable.getFirst();
      throw new UnreadableSchedule(one.name(), one.why());
    }
    return dues;
  }

  /**
   * Locks a schedule.
   *
   * @return its id; empty when there is no such schedule
   */
  static List<UUID> lock(Connection connection, String name) {
    return NAME_LOCK.on(connection).with("name", name).list(row -> NonNullColumns.uuid(row, 1));
  }

  /**
   * Reads locked schedules by a later statement, which sees the changes of earlier holders of the
   * lock.
   */
  private static DueRows read(Connection connection, List<UUID> ids, String request) {
    DueRows dues = new DueRows();
    if (ids.isEmpty()) {
      return dues;
    }
    List<Read> read = new ArrayList<>();
    READ.on(connection)
        .with("ids", ColumnBatch.uuids(ids, id -> id))
        .with("most_counted", DueSchedule.MOST_COUNTED)
        .with("most_tasks", DueSchedule.MOST_TASKS_COUNTED)
        .each(row -> {
          dues.now = ScheduleRows.instant(row, "now");
          try {
            Read one = Read.of(row);
            read.add(one);
            TaskId turn = ScheduleRows.taskOrNull(row, "turn");
            if (turn != null) {
              dues.turns.put(one.schedule.id(), turn);
            }
          } catch (RuntimeException e) {
            // A newer version or a person wrote this row: it must not stop the other schedules.
            dues.unreadable.add(Unreadable.of(row, e));
          }
        });
    List<CalendarName> names =
        read.stream()
            .flatMap(one -> one.schedule.definition().rule().calendarNames().stream())
            .distinct()
            .toList();
    Map<CalendarName, StoredCalendar> calendars = new HashMap<>();
    CalendarRows.find(connection, names)
        .forEach(calendar -> calendars.put(calendar.name(), calendar));
    for (Read one : read) {
      dues.due.add(one.due(calendars, ofRequest(connection, one.schedule, request)));
    }
    return dues;
  }

  private record Read(
      Schedule schedule,
      @Nullable QueueId queue,
      List<QueueId> stepQueues,
      int unfinished,
      @Nullable LastRun lastRun) {
    static Read of(ResultSet row) throws SQLException {
      String state = row.getString("last_state");
      return new Read(
          ScheduleRows.schedule(row),
          NullableColumns.number(
              row, row.findColumn("queue_id"), queue -> new QueueId((int) queue)),
          stepQueues(row),
          Math.min(DueSchedule.MOST_COUNTED, row.getInt("unfinished")),
          state == null
              ? null
              : new LastRun(TaskStateColumn.of(state), ScheduleRows.instant(row, "last_ended")));
    }

    private static List<QueueId> stepQueues(ResultSet row) throws SQLException {
      List<QueueId> queues = new ArrayList<>();
      for (Object id : (Object[]) requireNonNull(row.getArray("step_queues")).getArray()) {
        queues.add(new QueueId((Integer) id));
      }
      return queues;
    }

    DueSchedule due(Map<CalendarName, StoredCalendar> calendars, List<LedgerEntry> ofRequest) {
      List<StoredCalendar> named = new ArrayList<>();
      for (CalendarName name : schedule.definition().rule().calendarNames()) {
        StoredCalendar calendar = calendars.get(name);
        if (calendar != null) {
          named.add(calendar);
        }
      }
      return new DueSchedule(schedule, named, queue, stepQueues, unfinished, lastRun, ofRequest);
    }
  }

  private static List<LedgerEntry> ofRequest(
      Connection connection, Schedule schedule, String request) {
    if (request.isEmpty()) {
      return List.of();
    }
    return OF_REQUEST
        .on(connection)
        .with("schedule_id", schedule.id().value())
        .with("request", request)
        .list(ScheduleRows::entry);
  }
}
