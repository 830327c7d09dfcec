package io.kairos.postgres.task;

import static io.kairos.domain.check.ArgumentCheck.require;
import static java.util.Objects.requireNonNull;

import io.kairos.domain.node.NodeId;
import io.kairos.domain.schedule.definition.ScheduleId;
import io.kairos.domain.task.Fairness;
import io.kairos.domain.task.OrderingKeyId;
import io.kairos.domain.task.RetryPolicy;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.TaskIdempotency;
import io.kairos.domain.task.TaskState;
import io.kairos.domain.task.TraceContext;
import io.kairos.domain.task.batch.BatchId;
import io.kairos.domain.task.queue.CollectionName;
import io.kairos.domain.task.queue.QueueId;
import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.node.StoreUnavailable;
import io.kairos.engine.task.port.ArrivingTask;
import io.kairos.engine.task.port.NewTask;
import io.kairos.engine.task.port.TaskReceipt;
import io.kairos.postgres.sql.BinaryArray;
import io.kairos.postgres.sql.ColumnBatch;
import io.kairos.postgres.sql.SqlCall;
import io.kairos.postgres.sql.SqlStatement;
import io.kairos.postgres.task.KeyPlacement.KeyPosition;
import io.kairos.postgres.task.row.QueueNumberRows;
import io.kairos.postgres.task.row.RetryPolicyColumns;
import io.kairos.postgres.task.row.TaskStateColumn;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Writes new tasks, a batch by one statement. A batch that fails stores nothing. */
final class NewTasks {
  private static final SqlStatement INSERT = SqlStatement.load("task/insert.sql");
  private static final SqlStatement REPLACE = SqlStatement.load("task/replace.sql");
  private static final String BLOCKED = TaskStateColumn.code(TaskState.BLOCKED);
  private static final String AWAITING = TaskStateColumn.code(TaskState.AWAITING);

  private NewTasks() {}

  /** The number of a queue was kept until the queue was retired; it has to be read again. */
  static final class QueueRetired extends StoreUnavailable {
    private static final long serialVersionUID = 1L;

    private QueueRetired() {
      super("a queue that was used long ago has just been retired: try again");
    }
  }

  /**
   * A task of the batch.
   *
   * @param onQueue true if the task begins on its queue
   * @param place null for a task without a key
   * @param isAwaiting true if the task begins as awaiting others
   */
  private record Row(
      NewTask task, boolean onQueue, @Nullable KeyPosition place, boolean isAwaiting) {
    static Row of(ArrivingTask arrival, Map<TaskId, KeyPosition> places, Set<TaskId> awaiting) {
      KeyPosition place = places.get(arrival.task().id());
      boolean isBlocked = place != null && place.blocked();
      boolean isAwaiting = awaiting.contains(arrival.task().id());
      boolean onQueue = arrival.onQueue() && !isBlocked && !isAwaiting;
      return new Row(arrival.task(), onQueue, place, isAwaiting);
    }

    @Nullable Long keyId() {
      return place == null ? null : (Long) place.key().value();
    }

    /** The state of a task that does not begin on its queue; null for the usual one. */
    @Nullable String waitingState() {
      if (isAwaiting) {
        return AWAITING;
      }
      return place != null && place.blocked() ? BLOCKED : null;
    }
  }

  /**
   * Stores tasks.
   *
   * @param places the places of tasks with an ordering key; the keys are locked
   * @param awaiting the tasks that begin as awaiting others
   * @param unlessQuota true to store nothing while one of the handlers has an admission quota
   * @return true when the tasks are stored
   * @throws QueueRetired when a queue is retired or gone; nothing is stored
   */
  static boolean insert(
      Connection connection,
      NodeId node,
      List<ArrivingTask> arrivals,
      Map<TaskId, KeyPosition> places,
      Set<TaskId> awaiting,
      Duration enqueueTimeout,
      boolean unlessQuota) {
    List<Row> rows = new ArrayList<>(arrivals.size());
    arrivals.forEach(arrival -> rows.add(Row.of(arrival, places, awaiting)));
    rows.sort(Comparator.comparing(row -> row.task.id()));
    List<NewTask> tasks = rows.stream().map(Row::task).toList();
    QueueNumberRows.beFair(connection, fairQueues(tasks));
    int stored =
        bind(INSERT.on(connection), ColumnBatch.uuids(tasks, task -> task.id().value()), tasks)
            .with("key_ids", ColumnBatch.longsOrNulls(rows, Row::keyId).emptyIfAllNull())
            .with("schedules", schedules(tasks))
            .with("batches", ColumnBatch.texts(tasks, NewTasks::batch).emptyIfAllNull())
            .with("states", ColumnBatch.texts(rows, Row::waitingState).emptyIfAllNull())
            .with("fences", ColumnBatch.ints(rows, row -> row.onQueue ? 1 : 0))
            .with("node", node.toString())
            .with("enqueue_timeout_micros", EpochMicros.lengthOf(enqueueTimeout))
            .with("unless_quota", unlessQuota)
            .with("distinct_queues", BinaryArray.ints(distinctQueues(tasks)))
            .update();
    if (stored == 0 && !unlessQuota && !rows.isEmpty()) {
      throw new QueueRetired();
    }
    return stored > 0;
  }

  /** The queues of those tasks that have fairness keys. */
  private static Set<QueueId> fairQueues(List<NewTask> tasks) {
    Set<QueueId> queues = new HashSet<>();
    for (NewTask task : tasks) {
      if (task.details().fairness() != null) {
        queues.add(task.queue());
      }
    }
    return queues;
  }

  /** The receipt of a stored task. */
  static TaskReceipt receipt(
      ArrivingTask arrival, Map<TaskId, KeyPosition> places, Set<TaskId> awaiting) {
    Row row = Row.of(arrival, places, awaiting);
    OrderingKeyId key = row.onQueue && row.place != null ? row.place.key() : null;
    return new TaskReceipt(row.task.id(), false, row.onQueue, key);
  }

  static int[] distinctQueues(List<NewTask> tasks) {
    return tasks.stream().mapToInt(task -> task.queue().value()).distinct().sorted().toArray();
  }

  /**
   * Replaces the content of waiting tasks.
   *
   * @param replaced the new content by the id of the waiting task, whose row is locked
   */
  static void replace(Connection connection, Map<TaskId, ArrivingTask> replaced) {
    List<TaskId> sorted = replaced.keySet().stream().sorted().toList();
    List<ArrivingTask> by = sorted.stream().map(id -> requireNonNull(replaced.get(id))).toList();
    List<NewTask> tasks = by.stream().map(ArrivingTask::task).toList();
    QueueNumberRows.beFair(connection, fairQueues(tasks));
    bind(REPLACE.on(connection), ColumnBatch.uuids(sorted, TaskId::value), tasks)
        .with("max_waits", ColumnBatch.longsOrNulls(by, NewTasks::maxWait).emptyIfAllNull())
        .update();
  }

  private static @Nullable Long maxWait(ArrivingTask arrival) {
    TaskIdempotency idempotency = arrival.idempotency();
    Duration most = idempotency == null ? null : idempotency.maxWait();
    return most == null ? null : (Long) EpochMicros.lengthOf(most);
  }

  /** Sets the parameters that both statements share, with an empty array for a column of nulls. */
  private static SqlCall bind(SqlCall call, BinaryArray ids, List<NewTask> tasks) {
    List<@Nullable RetryPolicy> policies = new ArrayList<>(tasks.size());
    tasks.forEach(task -> policies.add(task.details().retryPolicy()));
    return RetryPolicyColumns.bind(call, policies)
        .with("ids", ids)
        .with("queue_ids", ColumnBatch.ints(tasks, task -> task.queue().value()))
        .with("dues", ColumnBatch.longs(tasks, NewTask::dueMicros))
        .with("payloads", ColumnBatch.bytes(tasks, task -> task.details().payload()))
        .with(
            "execution_timeouts",
            ColumnBatch.longsOrNulls(tasks, NewTasks::executionTimeout).emptyIfAllNull())
        .with("traceparents", ColumnBatch.texts(tasks, NewTasks::traceparent).emptyIfAllNull())
        .with("submitters", ColumnBatch.texts(tasks, NewTask::submittedBy).emptyIfAllNull())
        .with(
            "fairness_keys",
            ColumnBatch.texts(tasks, task -> fairness(task, Fairness::key)).emptyIfAllNull())
        .with(
            "fairness_weights",
            ColumnBatch.longsOrNulls(tasks, task -> fairness(task, one -> (long) one.weight()))
                .emptyIfAllNull())
        .with(
            "limits",
            ColumnBatch.texts(tasks, task -> task.details().limits().stored()).emptyIfAllNull())
        .with("collections", ColumnBatch.texts(tasks, NewTasks::collection).emptyIfAllNull())
        .with(
            "start_deadlines",
            ColumnBatch.longsOrNulls(tasks, task -> task.details().startDeadlineMicros())
                .emptyIfAllNull());
  }

  private static <T> @Nullable T fairness(NewTask task, Function<Fairness, T> part) {
    Fairness fairness = task.details().fairness();
    return fairness == null ? null : part.apply(fairness);
  }

  private static @Nullable String batch(NewTask task) {
    BatchId batch = task.batch();
    return batch == null ? null : batch.toString();
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

  /**
   * The schedules of a batch whose tasks all belong to schedules; for other batches an empty array,
   * which stands for nulls.
   */
  private static BinaryArray schedules(List<NewTask> tasks) {
    List<UUID> schedules = new ArrayList<>();
    for (NewTask task : tasks) {
      ScheduleId schedule = task.schedule();
      if (schedule != null) {
        schedules.add(schedule.value());
      }
    }
    require(
        schedules.isEmpty() || schedules.size() == tasks.size(),
        "tasks of schedules and others in one batch");
    return BinaryArray.uuids(schedules.toArray(UUID[]::new));
  }
}
