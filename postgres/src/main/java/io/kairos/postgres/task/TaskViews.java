package io.kairos.postgres.task;

import static java.util.Objects.requireNonNull;
import static java.util.Objects.requireNonNullElse;

import io.kairos.domain.schedule.definition.ScheduleName;
import io.kairos.domain.task.OrderingKey;
import io.kairos.domain.task.RetryPolicy;
import io.kairos.domain.task.TaskDetails;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.TaskProgress;
import io.kairos.domain.task.TaskResult;
import io.kairos.domain.task.TaskState;
import io.kairos.domain.task.batch.BatchId;
import io.kairos.domain.task.queue.CollectionName;
import io.kairos.domain.task.queue.TaskHandler;
import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.task.port.operator.ListQuery;
import io.kairos.engine.task.port.operator.TaskListing;
import io.kairos.engine.task.port.operator.TaskView;
import io.kairos.engine.task.port.operator.TaskView.Failure;
import io.kairos.postgres.sql.BinaryArray;
import io.kairos.postgres.sql.ColumnBatch;
import io.kairos.postgres.sql.NonNullColumns;
import io.kairos.postgres.sql.NullableColumns;
import io.kairos.postgres.sql.SqlCall;
import io.kairos.postgres.sql.SqlStatement;
import io.kairos.postgres.task.row.QueueNumberRows;
import io.kairos.postgres.task.row.TaskDetailsColumns;
import io.kairos.postgres.task.row.TaskStateColumn;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Shows tasks to callers, live and finished ones alike. */
final class TaskViews {
  private static final SqlStatement FIND = SqlStatement.load("task/find.sql");
  private static final SqlStatement LIST = SqlStatement.load("task/list.sql");
  private static final SqlStatement LIST_END = SqlStatement.load("task/list_end.sql");
  private static final SqlStatement AGED = SqlStatement.load("task/list_aged.sql");
  private static final SqlStatement KEYED = SqlStatement.load("task/list_keyed.sql");

  /**
   * The most tasks of each kind that one list passes over when few match; that takes about ten
   * milliseconds.
   */
  static final int MOST_LOOKED = 20_000;

  /** As {@link #MOST_LOOKED}, when texts are compared. */
  private static final int MOST_READ = 5_000;

  /**
   * As {@link #MOST_LOOKED}, of the fire times of a schedule, fired or skipped, and of the tasks of
   * a batch: each is looked up by itself.
   */
  static final int MOST_RUNS = 2_000;

  /** Most tasks of one run of a schedule with steps, nearly. */
  static final int TASKS_OF_A_GRAPH = 100;

  /**
   * As {@link #MOST_LOOKED}, for a dry run of a change; that takes about a tenth of a second. A
   * tenth of these when it takes too long.
   */
  static final int MOST_COUNTED = 200_000;

  /** Ids are made by the clocks of nodes, which may differ so much from the store's. */
  static final Duration CLOCKS_DIFFER = Duration.ofHours(1);

  /**
   * When very many tasks ended within a time, those that were accepted so long before it are not
   * looked for: nothing says how old the oldest is, and the list would walk through all history.
   */
  static final Duration LONGEST_LIFE = Duration.ofDays(31);

  /** The first of the columns of {@link TaskDetailsColumns}. */
  private static final int DETAILS = 31;

  private static final long MICROS_PER_MILLI = 1_000;
  private static final long LAST_MILLIS = (1L << 48) - 1;

  /** The least id. */
  static final UUID FIRST = new UUID(0, 0);

  /** The greatest id, because ids are compared as unsigned numbers. */
  static final UUID LAST = new UUID(-1, -1);

  private TaskViews() {}

  static Optional<TaskView> find(Connection connection, TaskId id, boolean withPayload) {
    return FIND.on(connection)
        .with("id", id.value())
        .with("with_payload", withPayload)
        .optional(row -> view(row, withPayload));
  }

  static List<TaskView> ended(SqlCall call, Collection<TaskId> ids, long maxBytes) {
    return call.with("ids", ColumnBatch.uuids(ids, TaskId::value))
        .with("max_bytes", maxBytes)
        .list(row -> view(row, true));
  }

  /** An id that is greater than those of all tasks that were accepted by a time. */
  static TaskId firstAfter(long micros) {
    long differ = CLOCKS_DIFFER.toMillis() + 1;
    long millis = Math.clamp(Math.floorDiv(micros, MICROS_PER_MILLI), 0, LAST_MILLIS - differ);
    return firstOf(millis + differ);
  }

  /** An id that is not greater than those of all tasks that were accepted since a time. */
  private static TaskId firstSince(long micros) {
    long millis = Math.floorDiv(micros, MICROS_PER_MILLI) - CLOCKS_DIFFER.toMillis();
    return firstOf(Math.clamp(millis, 0, LAST_MILLIS));
  }

  private static TaskId firstOf(long millis) {
    return new TaskId(new UUID(millis << Short.SIZE, 0));
  }

  private static long millis(UUID id) {
    return id.getMostSignificantBits() >>> Short.SIZE;
  }

  /** By which parts of the statement ended tasks are found, and those of a schedule at all. */
  private enum Way {
    /** Down the primary key, and of what has not succeeded down its state. */
    WALK,
    /** By the time at which they ended. */
    ENDED,
    /** Down those that failed with the fingerprint or the class. */
    ERRORS,
    /** Down the runs of the schedule. */
    RUNS,
    /** Down the tasks of the batch. */
    BATCH
  }

  /**
   * How a query is served.
   *
   * @param states those in which tasks can match
   * @param before finds only tasks with smaller ids
   * @param mostLooked the most tasks of each part that it passes over
   * @param isByKey true when tasks that have not ended are found by their ordering key
   */
  private record Plan(
      ListQuery query,
      Set<TaskState> states,
      Way way,
      UUID before,
      int mostLooked,
      boolean isByKey) {
    static Plan of(ListQuery query) {
      ListQuery.Search search = query.search();
      Set<TaskState> states = EnumSet.copyOf(query.states());
      if (search.isForEnded()) {
        states.removeIf(state -> !state.isFinished());
      }
      if (search.isForErrors()) {
        states.remove(TaskState.SUCCEEDED);
      }
      Way way = way(search);
      UUID before = query.before() == null ? LAST : query.before().value();
      Long endedTo = search.endedToMicros();
      if (endedTo != null) {
        TaskId latest = firstAfter(endedTo);
        before = latest.compareTo(new TaskId(before)) < 0 ? latest.value() : before;
      }
      int mostLooked = search.text().isEmpty() ? MOST_LOOKED : MOST_READ;
      return new Plan(query, states, way, before, way == Way.BATCH ? MOST_RUNS : mostLooked, false);
    }

    private static Way way(ListQuery.Search search) {
      if (search.batch() != null) {
        return Way.BATCH;
      }
      return search.schedule() != null ? Way.RUNS : search.isForErrors() ? Way.ERRORS : Way.WALK;
    }

    /** True for tasks that are found by another table, each looked up by itself. */
    boolean isByList() {
      return way == Way.RUNS || way == Way.BATCH;
    }

    Plan by(Way other) {
      return new Plan(query, states, other, before, mostLooked, isByKey);
    }

    Plan byKey() {
      return new Plan(query, states, way, before, mostLooked, true);
    }

    /** Those of states in which tasks wait, in one of two ways. */
    private BinaryArray waiting(boolean byKey) {
      return codes(
          !isByList() && isByKey == byKey, state -> !state.isFinished() && !state.isHeld());
    }

    BinaryArray codes(boolean isAskedFor, Predicate<TaskState> which) {
      return ColumnBatch.texts(
          states.stream().filter(state -> isAskedFor && which.test(state)).toList(),
          TaskStateColumn::code);
    }

    /** Sets what the statements for a page and for its end have in common. */
    SqlCall bind(SqlCall call) {
      BatchId batch = query.search().batch();
      return call.with("waiting", waiting(false))
          .with("succeeded", way == Way.WALK && states.contains(TaskState.SUCCEEDED))
          .with("other_ends", codes(way == Way.WALK, TaskViews::isOtherEnd))
          .with("failed", codes(way == Way.ERRORS, TaskViews::isOtherEnd))
          .with("runs", codes(way == Way.RUNS, _ -> true))
          .with("members", codes(way == Way.BATCH, _ -> true))
          .with("batch", batch == null ? null : batch.value())
          .with("schedule", query.search().schedule(), ScheduleName::value)
          .with("fingerprint", query.search().fingerprint())
          .with("error_class", query.search().errorClass())
          .with("before", before)
          .with("fired_before", (millis(before) + 1) * MICROS_PER_MILLI)
          .with("max_runs", MOST_RUNS)
          .with("max_graphs", mostLooked / TASKS_OF_A_GRAPH);
    }

    SqlCall bindEnded(SqlCall call) {
      ListQuery.Search search = query.search();
      return call.with("ended_from", requireNonNullElse(search.endedFromMicros(), Long.MIN_VALUE))
          .with("ended_to", requireNonNullElse(search.endedToMicros(), Long.MAX_VALUE));
    }
  }

  static TaskListing list(Connection connection, ListQuery query) {
    Plan first = Plan.of(query);
    if (first.states().isEmpty()) {
      return TaskListing.of(query, List.of(), null);
    }
    Plan second = hasKeyOfFew(connection, first) ? first.byKey() : first;
    Plan plan =
        second.way() == Way.WALK && endedFew(connection, second) ? second.by(Way.ENDED) : second;
    TaskId end = plan.way() == Way.ENDED || isForAll(query) ? null : end(connection, plan);
    TaskId from = query.search().from();
    if (from != null && end != null && end.compareTo(from) <= 0) {
      end = null;
    }
    TaskId downTo = end == null ? from : end;
    ListQuery.Search search = query.search();
    List<TaskView> views =
        plan.bindEnded(plan.bind(LIST.on(connection)))
            .with("held", plan.codes(!plan.isByList(), TaskState::isHeld))
            .with("keyed", plan.waiting(true))
            .with(
                "aged_success",
                plan.way() == Way.ENDED && plan.states().contains(TaskState.SUCCEEDED))
            .with("aged_ends", plan.codes(plan.way() == Way.ENDED, TaskViews::isOtherEnd))
            .with("by_queue", query.handler() != null || search.priority() != null)
            .with("handler", query.handler(), TaskHandler::wireName)
            .withOptional("priority", search.priority())
            .with("collection", query.collection(), CollectionName::value)
            .with("key", query.key(), OrderingKey::value)
            .with("from", requireNonNullElse(query.fromMicros(), Long.MIN_VALUE))
            .with("to", requireNonNullElse(query.toMicros(), Long.MAX_VALUE))
            .with("min_attempts", search.minAttempts())
            .with("text", search.text())
            .with("down_to", downTo == null ? FIRST : downTo.value())
            .with("max_tasks", query.limit() + 1)
            .with("max_failures", TaskListing.MOST_FAILURES)
            .list(row -> view(row, false));
    TaskListing page = TaskListing.of(query, views, end);
    return page.isIncomplete() && isBeforeAnyLife(plan, end) ? page.last() : page;
  }

  /** True when tasks of smaller ids were accepted long before the time in which they ended. */
  private static boolean isBeforeAnyLife(Plan plan, @Nullable TaskId end) {
    Long endedFrom = plan.query().search().endedFromMicros();
    return plan.way() == Way.WALK
        && endedFrom != null
        && end != null
        && end.compareTo(firstSince(endedFrom - EpochMicros.lengthOf(LONGEST_LIFE))) < 0;
  }

  private static boolean isOtherEnd(TaskState state) {
    return state.isFinished() && state != TaskState.SUCCEEDED;
  }

  /** True when a time is asked for in which so few ended that all of them can be read. */
  private static boolean endedFew(Connection connection, Plan plan) {
    return plan.query().search().isForEnded()
        && plan.bindEnded(AGED.on(connection))
                .with("succeeded", plan.states().contains(TaskState.SUCCEEDED))
                .with("other_ends", plan.codes(true, TaskViews::isOtherEnd))
                .with("max_looked", plan.mostLooked())
                .one(row -> row.getInt(1))
            <= plan.mostLooked();
  }

  /** True when an ordering key is asked for that has so few tasks that all of them can be read. */
  private static boolean hasKeyOfFew(Connection connection, Plan plan) {
    ListQuery query = plan.query();
    return query.key() != null
        && KEYED
                .on(connection)
                .with("handler", query.handler(), TaskHandler::wireName)
                .with("key", query.key(), OrderingKey::value)
                .with("max_looked", plan.mostLooked())
                .one(row -> row.getInt(1))
            <= plan.mostLooked();
  }

  /** True when every task matches, so that the list passes over none. */
  private static boolean isForAll(ListQuery query) {
    ListQuery.Search search = query.search();
    return query.handler() == null
        && query.collection() == null
        && query.fromMicros() == null
        && query.toMicros() == null
        && query.states().size() == TaskState.values().length
        && search.minAttempts() == 0
        && !search.isForErrors()
        && !search.isForEnded()
        && search.text().isEmpty()
        && search.priority() == null
        && search.schedule() == null
        && search.batch() == null;
  }

  private static @Nullable TaskId end(Connection connection, Plan plan) {
    return plan.bind(LIST_END.on(connection))
        .with("max_looked", plan.mostLooked())
        .one(row -> {
          TaskId last = NullableColumns.uuid(row, 1, TaskId::new);
          // Runs of one millisecond are not in the order of the ledger.
          TaskId run =
              NullableColumns.number(
                  row, 2, firedAt -> firstOf(Math.floorDiv(firedAt, MICROS_PER_MILLI) + 1));
          return last == null || (run != null && run.compareTo(last) > 0) ? run : last;
        });
  }

  /** Reads the part {@code {view}}, whose columns all statements return. */
  private static TaskView view(ResultSet row, boolean withResult) throws SQLException {
    TaskDetails details =
        TaskDetailsColumns.read(
            row, DETAILS, requireNonNullElse(row.getBytes(DETAILS), TaskView.NO_PAYLOAD));
    return new TaskView(
        new TaskId(NonNullColumns.uuid(row, 1)),
        QueueNumberRows.name(row, 2),
        details.retryPolicy() == null ? details.withRetryPolicy(RetryPolicy.DEFAULT) : details,
        EpochMicros.toInstant(row.getLong(5)),
        EpochMicros.toInstant(row.getLong(6)),
        new TaskView.Progress(
            TaskStateColumn.of(NonNullColumns.text(row, 4)),
            row.getInt(7),
            NullableColumns.number(row, 8, EpochMicros::toInstant),
            NullableColumns.number(row, 9, EpochMicros::toInstant),
            row.getString(10),
            row.getBoolean(11),
            NullableColumns.number(row, 16, EpochMicros::toInstant),
            failures(row),
            withResult ? result(row) : TaskResult.NONE,
            row.getString(21),
            reported(row),
            NullableColumns.number(row, 30, EpochMicros::toInstant)),
        row.getString(20),
        NullableColumns.text(row, 23, ScheduleName::new),
        NullableColumns.uuid(row, DETAILS + TaskDetailsColumns.COUNT, BatchId::new));
  }

  private static TaskView.@Nullable Reported reported(ResultSet row) throws SQLException {
    int percent = row.getInt(27);
    return row.wasNull()
        ? null
        : new TaskView.Reported(
            new TaskProgress(percent, NonNullColumns.text(row, 28)),
            EpochMicros.toInstant(row.getLong(29)));
  }

  /** A task that ended under an earlier version has a text. */
  private static TaskResult result(ResultSet row) throws SQLException {
    byte[] value = row.getBytes(24);
    return value == null
        ? TaskResult.text(requireNonNullElse(row.getString(15), ""))
        : new TaskResult(value, requireNonNullElse(row.getString(25), ""));
  }

  private static List<Failure> failures(ResultSet row) throws SQLException {
    Long[] attempts = (Long[]) array(row, 12);
    Long[] times = (Long[]) array(row, 13);
    String[] errors = (String[]) array(row, 14);
    Long[] starts = (Long[]) array(row, 17);
    String[] states = (String[]) array(row, 18);
    String[] classes = (String[]) array(row, 19);
    String[] fingerprints = (String[]) array(row, 22);
    String[] stacks = (String[]) array(row, 26);
    List<Failure> failures = new ArrayList<>(attempts.length);
    for (int i = 0; i < attempts.length; i++) {
      if (errors[i] != null) { // null in the entry of the result
        failures.add(
            new Failure(
                Math.toIntExact(attempts[i]),
                starts[i] == null ? null : EpochMicros.toInstant(starts[i]),
                EpochMicros.toInstant(times[i]),
                states[i] == null ? null : TaskStateColumn.of(states[i]),
                errors[i],
                requireNonNullElse(classes[i], ""),
                requireNonNullElse(fingerprints[i], ""),
                requireNonNullElse(stacks[i], "")));
      }
    }
    return failures;
  }

  private static Object array(ResultSet row, int column) throws SQLException {
    return requireNonNull(row.getArray(column)).getArray();
  }
}
