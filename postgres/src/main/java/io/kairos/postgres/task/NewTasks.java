package io.kairos.postgres.task;

import static java.util.Objects.requireNonNull;

import io.kairos.domain.node.NodeId;
import io.kairos.domain.schedule.fire.ScheduleId;
import io.kairos.domain.task.CollectionName;
import io.kairos.domain.task.RetryPolicy;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.TaskState;
import io.kairos.domain.task.TraceContext;
import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.task.port.Arrival;
import io.kairos.engine.task.port.NewTask;
import io.kairos.engine.task.port.Receipt;
import io.kairos.postgres.sql.BinaryArray;
import io.kairos.postgres.sql.Call;
import io.kairos.postgres.sql.Sql;
import io.kairos.postgres.task.KeyPlacing.Place;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Writes new tasks, a batch by one statement: of a batch that fails nothing is stored. */
final class NewTasks {
  private static final Sql INSERT = Sql.load(NewTasks.class, "insert.sql");
  private static final Sql REPLACE = Sql.load(NewTasks.class, "replace.sql");
  private static final byte[] BLOCKED =
      States.code(TaskState.BLOCKED).getBytes(StandardCharsets.UTF_8);
  private static final byte[] @Nullable [] NO_TEXTS = new byte[0][];

  private NewTasks() {}

  /** A task of the batch, whether it begins on its queue, and where it stands if it has a key. */
  private record Row(NewTask task, boolean onQueue, @Nullable Place place) {
    static Row of(Arrival arrival, Map<TaskId, Place> places) {
      Place place = places.get(arrival.task().id());
      boolean isBlocked = place != null && place.blocked();
      return new Row(arrival.task(), arrival.onQueue() && !isBlocked, place);
    }

    Receipt receipt() {
      return new Receipt(task.id(), false, onQueue, onQueue && place != null ? place.key() : null);
    }
  }

  /**
   * Stores tasks.
   *
   * @param places of those that have an ordering key, which is locked
   * @param unlessQuota store nothing while a handler of theirs has an admission quota
   * @return whether they are stored
   */
  static boolean insert(
      Connection connection,
      NodeId node,
      List<Arrival> arrivals,
      Map<TaskId, Place> places,
      Duration enqueueTimeout,
      boolean unlessQuota)
      throws SQLException {
    List<Row> rows = new ArrayList<>(arrivals.size());
    arrivals.forEach(arrival -> rows.add(Row.of(arrival, places)));
    rows.sort(Comparator.comparing(row -> row.task.id()));
    UUID[] ids = rows.stream().map(row -> row.task.id().value()).toArray(UUID[]::new);
    int[] fences = rows.stream().mapToInt(row -> row.onQueue ? 1 : 0).toArray();
    List<NewTask> tasks = rows.stream().map(Row::task).toList();
    try (Call call =
        bind(INSERT.on(connection), ids, tasks)
            .with("key_ids", keyIds(rows))
            .with("schedules", schedules(tasks))
            .with("states", waitingStates(rows))
            .with("fences", BinaryArray.ints(fences))
            .with("node", node.toString())
            .with("enqueue_timeout_micros", EpochMicros.lengthOf(enqueueTimeout))
            .with("unless_quota", unlessQuota)
            .with("distinct_queues", BinaryArray.ints(distinctQueues(tasks)))) {
      return call.update() > 0;
    }
  }

  /** What is answered for a task that is stored. */
  static Receipt receipt(Arrival arrival, Map<TaskId, Place> places) {
    return Row.of(arrival, places).receipt();
  }

  static int[] distinctQueues(List<NewTask> tasks) {
    return tasks.stream().mapToInt(task -> task.queue().value()).distinct().sorted().toArray();
  }

  /**
   * Makes waiting tasks what others ask for.
   *
   * @param replaced by their ids; their rows are locked
   */
  static void replace(Connection connection, Map<TaskId, NewTask> replaced) throws SQLException {
    List<TaskId> sorted = replaced.keySet().stream().sorted().toList();
    UUID[] ids = sorted.stream().map(TaskId::value).toArray(UUID[]::new);
    List<NewTask> tasks = sorted.stream().map(id -> requireNonNull(replaced.get(id))).toList();
    try (Call call = bind(REPLACE.on(connection), ids, tasks)) {
      call.update();
    }
  }

  /** What both statements take. */
  private static Call bind(Call call, UUID[] ids, List<NewTask> tasks) throws SQLException {
    int size = tasks.size();
    int[] queues = new int[size];
    long[] dues = new long[size];
    byte[] @Nullable [] payloads = new byte[size][];
    List<@Nullable RetryPolicy> policies = new ArrayList<>(size);
    for (int i = 0; i < size; i++) {
      NewTask task = tasks.get(i);
      queues[i] = task.queue().value();
      dues[i] = task.dueMicros();
      payloads[i] = task.details().payload();
      policies.add(task.details().retryPolicy());
    }
    return Policies.bind(call, policies)
        .with("ids", BinaryArray.uuids(ids))
        .with("queue_ids", BinaryArray.ints(queues))
        .with("dues", BinaryArray.longs(dues))
        .with("payloads", BinaryArray.bytes(payloads))
        .with("execution_timeouts", longs(tasks, NewTasks::executionTimeout))
        .with("traceparents", texts(tasks, NewTasks::traceparent))
        .with("collections", texts(tasks, NewTasks::collection))
        .with("start_deadlines", longs(tasks, task -> task.details().startDeadlineMicros()));
  }

  private static @Nullable String collection(NewTask task) {
    CollectionName collection = task.details().collection();
    return collection == null ? null : collection.value();
  }

  private static @Nullable String traceparent(NewTask task) {
    TraceContext trace = task.details().traceContext();
    return trace == null ? null : trace.traceparent();
  }

  private static @Nullable Long executionTimeout(NewTask task) {
    Duration timeout = task.details().executionTimeout();
    return timeout == null ? null : EpochMicros.lengthOf(timeout);
  }

  /** Of a batch whose tasks all belong to schedules; empty, which stands for nulls, for others. */
  private static BinaryArray schedules(List<NewTask> tasks) {
    List<UUID> schedules = new ArrayList<>();
    for (NewTask task : tasks) {
      ScheduleId schedule = task.schedule();
      if (schedule != null) {
        schedules.add(schedule.value());
      }
    }
    if (!schedules.isEmpty() && schedules.size() < tasks.size()) {
      throw new IllegalArgumentException("tasks of schedules and others in one batch");
    }
    return BinaryArray.uuids(schedules.toArray(UUID[]::new));
  }

  private static BinaryArray keyIds(List<Row> rows) {
    return longs(rows.stream().map(row -> row.place == null ? null : row.place.key().value()));
  }

  private static BinaryArray longs(List<NewTask> tasks, Function<NewTask, @Nullable Long> value) {
    return longs(tasks.stream().map(value));
  }

  /** A column; empty, which stands for nulls, when all are null. */
  private static BinaryArray longs(Stream<@Nullable Long> column) {
    List<@Nullable Long> all = new ArrayList<>();
    column.forEach(all::add);
    long[] values = new long[all.size()];
    boolean[] none = new boolean[values.length];
    boolean allNone = true;
    for (int i = 0; i < values.length; i++) {
      Long value = all.get(i);
      none[i] = value == null;
      allNone &= none[i];
      values[i] = value == null ? 0 : value;
    }
    return allNone ? BinaryArray.longs(new long[0]) : BinaryArray.longs(values, none);
  }

  /** Of those that do not begin on their queue; empty when none is blocked. */
  private static BinaryArray waitingStates(List<Row> rows) {
    byte[] @Nullable [] states = new byte[rows.size()][];
    boolean none = true;
    for (int i = 0; i < states.length; i++) {
      Place place = rows.get(i).place;
      boolean isBlocked = place != null && place.blocked();
      none &= !isBlocked;
      states[i] = isBlocked ? BLOCKED : null;
    }
    return BinaryArray.texts(none ? NO_TEXTS : states);
  }

  private static BinaryArray texts(List<NewTask> tasks, Function<NewTask, @Nullable String> text) {
    byte[] @Nullable [] utf8 = new byte[tasks.size()][];
    boolean allNone = true;
    for (int i = 0; i < utf8.length; i++) {
      String value = text.apply(tasks.get(i));
      allNone &= value == null;
      utf8[i] = value == null ? null : value.getBytes(StandardCharsets.UTF_8);
    }
    return BinaryArray.texts(allNone ? NO_TEXTS : utf8);
  }
}
