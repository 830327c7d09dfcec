package io.kairos.postgres.task;

import io.kairos.domain.node.NodeId;
import io.kairos.domain.schedule.definition.ScheduleId;
import io.kairos.domain.task.OrderingKeyId;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.TaskState;
import io.kairos.domain.task.queue.QueueId;
import io.kairos.domain.task.queue.QueueName;
import io.kairos.engine.task.port.ArrivingTask;
import io.kairos.engine.task.port.NewTask;
import io.kairos.engine.task.port.NoMoreQueues;
import io.kairos.engine.task.port.TaskReceipt;
import io.kairos.postgres.sql.ColumnBatch;
import io.kairos.postgres.sql.NonNullColumns;
import io.kairos.postgres.sql.SqlStatement;
import io.kairos.postgres.task.row.LockWaits;
import io.kairos.postgres.task.row.QueueNumberRows;
import io.kairos.postgres.task.row.TaskStateColumn;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Tasks of schedules, within the transaction that decides their fire times. */
public final class FiredTasks {
  private static final SqlStatement LOCK = SqlStatement.load("task/schedule_lock.sql");
  private static final SqlStatement REQUEST = SqlStatement.load("task/cancel_request.sql");

  /**
   * The most tasks of one schedule that are cancelled at once; the rest follows at its next fire
   * time.
   */
  private static final int MOST_CANCELLED = 1_000;

  private FiredTasks() {}

  /** Stores tasks of schedules. Admission quotas count these tasks, but do not refuse them. */
  public static Map<TaskId, TaskReceipt> insert(
      Connection connection,
      NodeId node,
      List<List<ArrivingTask>> bySchedule,
      Duration enqueueTimeout) {
    List<ArrivingTask> arrivals = bySchedule.stream().flatMap(List::stream).toList();
    if (arrivals.isEmpty()) {
      return Map.of();
    }
    List<NewTask> tasks = arrivals.stream().map(ArrivingTask::task).toList();
    Map<TaskId, KeyPlacement.KeyPosition> places = places(connection, bySchedule);
    AdmissionQuotas quotas = AdmissionQuotas.lock(connection, NewTasks.distinctQueues(tasks));
    quotas.take(tasks.stream().map(NewTask::queue).toList());
    quotas.write(connection);
    NewTasks.insert(connection, node, arrivals, places, Set.of(), enqueueTimeout, false);
    Map<TaskId, TaskReceipt> receipts = new HashMap<>();
    for (ArrivingTask arrival : arrivals) {
      receipts.put(arrival.task().id(), NewTasks.receipt(arrival, places, Set.of()));
    }
    return receipts;
  }

  private static Map<TaskId, KeyPlacement.KeyPosition> places(
      Connection connection, List<List<ArrivingTask>> bySchedule) {
    List<List<NewTask>> tasks =
        bySchedule.stream().map(some -> some.stream().map(ArrivingTask::task).toList()).toList();
    if (tasks.stream().flatMap(List::stream).allMatch(task -> task.details().key() == null)) {
      return Map.of();
    }
    // A transaction of an application may lock a key for long; other schedules must not wait for
    // it.
    LockWaits.bound(connection, LockWaits.LONGEST);
    Map<TaskId, KeyPlacement.KeyPosition> places = KeyPlacement.of(connection, tasks, Set.of());
    LockWaits.bound(connection, Duration.ZERO);
    return places;
  }

  /**
   * Cancels the waiting tasks of these schedules, and requests the cancel of those that a worker
   * performs.
   *
   * @param next the tasks that are stored afterwards. Their keys are locked before any task ends,
   *     because an end locks rows of handlers, and these are locked after keys.
   */
  public static void cancel(
      Connection connection, Collection<ScheduleId> schedules, List<List<ArrivingTask>> next) {
    Map<TaskId, OrderingKeyId> keyed = new LinkedHashMap<>();
    List<TaskId> waiting = new ArrayList<>();
    List<TaskId> performed = new ArrayList<>();
    LOCK.on(connection)
        .with("schedules", ColumnBatch.uuids(schedules, ScheduleId::value))
        .with("max_tasks", MOST_CANCELLED)
        .each(row -> {
          TaskId id = new TaskId(NonNullColumns.uuid(row, 1));
          OrderingKeyId key = KeyRows.key(row, 3);
          if (TaskStateColumn.of(NonNullColumns.text(row, 2)) == TaskState.PROCESSING) {
            performed.add(id);
          } else {
            waiting.add(id);
            if (key != null) {
              keyed.put(id, key);
            }
          }
        });
    places(connection, next);
    if (!performed.isEmpty()) {
      REQUEST.on(connection).with("ids", ColumnBatch.uuids(performed, TaskId::value)).update();
    }
    TaskEnds.end(connection, waiting, keyed, TaskState.CANCELLED, null);
  }

  /**
   * Returns the number of a queue, and creates a new queue if there is room.
   *
   * @throws NoMoreQueues when there is none
   */
  public static QueueId queue(Connection connection, QueueName name) {
    QueueId id = QueueNumberRows.of(connection, List.of(name), null).get(name);
    if (id == null) {
      throw new NoMoreQueues();
    }
    return id;
  }
}
