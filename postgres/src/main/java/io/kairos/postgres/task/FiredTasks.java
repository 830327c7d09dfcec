package io.kairos.postgres.task;

import io.kairos.domain.node.NodeId;
import io.kairos.domain.schedule.fire.ScheduleId;
import io.kairos.domain.task.KeyId;
import io.kairos.domain.task.QueueId;
import io.kairos.domain.task.QueueName;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.TaskState;
import io.kairos.engine.task.port.Arrival;
import io.kairos.engine.task.port.NewTask;
import io.kairos.engine.task.port.NoMoreQueues;
import io.kairos.engine.task.port.Receipt;
import io.kairos.postgres.sql.BinaryArray;
import io.kairos.postgres.sql.Call;
import io.kairos.postgres.sql.Columns;
import io.kairos.postgres.sql.Sql;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Tasks of schedules, within the transaction that decides their fire times. */
public final class FiredTasks {
  private static final Sql LOCK = Sql.load(FiredTasks.class, "schedule_lock.sql");
  private static final Sql REQUEST = Sql.load(FiredTasks.class, "cancel_request.sql");

  /** Of one schedule at once; the others at its next fire time. */
  private static final int MOST_CANCELLED = 1_000;

  private FiredTasks() {}

  /** Stores tasks like those of calls, but that no quota refuses them: it counts them. */
  public static Map<TaskId, Receipt> insert(
      Connection connection, NodeId node, List<List<Arrival>> bySchedule, Duration enqueueTimeout)
      throws SQLException {
    List<Arrival> arrivals = bySchedule.stream().flatMap(List::stream).toList();
    if (arrivals.isEmpty()) {
      return Map.of();
    }
    List<NewTask> tasks = arrivals.stream().map(Arrival::task).toList();
    Map<TaskId, KeyPlacing.Place> places = places(connection, bySchedule);
    Quotas quotas = Quotas.lock(connection, NewTasks.distinctQueues(tasks));
    quotas.take(tasks.stream().map(NewTask::queue).toList());
    quotas.write(connection);
    NewTasks.insert(connection, node, arrivals, places, enqueueTimeout, false);
    Map<TaskId, Receipt> receipts = new HashMap<>();
    for (Arrival arrival : arrivals) {
      receipts.put(arrival.task().id(), NewTasks.receipt(arrival, places));
    }
    return receipts;
  }

  private static Map<TaskId, KeyPlacing.Place> places(
      Connection connection, List<List<Arrival>> bySchedule) throws SQLException {
    List<List<NewTask>> keyed =
        bySchedule.stream()
            .map(some ->
                some.stream()
                    .map(Arrival::task)
                    .filter(task -> task.details().key() != null)
                    .toList())
            .filter(some -> !some.isEmpty())
            .toList();
    if (keyed.isEmpty()) {
      return Map.of();
    }
    // An application may keep a key locked for as long as it likes; other schedules do not wait.
    LockWaits.bound(connection, LockWaits.LONGEST);
    Map<TaskId, KeyPlacing.Place> places = KeyPlacing.of(connection, keyed);
    LockWaits.bound(connection, Duration.ZERO);
    return places;
  }

  private record Unfinished(TaskId id, TaskState state, @Nullable KeyId key) {}

  /**
   * Cancels what waits of these schedules, and asks for it where a worker performs it.
   *
   * @param next the tasks that are stored afterwards: their keys are locked as well before anything
   *     ends, because that locks rows of handlers, and those come after keys
   */
  public static void cancel(
      Connection connection, Collection<ScheduleId> schedules, List<List<Arrival>> next)
      throws SQLException {
    List<Unfinished> tasks = lock(connection, schedules);
    places(connection, next);
    Map<TaskId, KeyId> keyed = new LinkedHashMap<>();
    List<TaskId> waiting = new ArrayList<>();
    try (Call request = REQUEST.on(connection)) {
      for (Unfinished task : tasks) {
        if (task.state == TaskState.PROCESSING) {
          request.with("id", task.id.value()).addToBatch();
        } else {
          waiting.add(task.id);
          if (task.key != null) {
            keyed.put(task.id, task.key);
          }
        }
      }
      request.runBatch();
    }
    Ending.end(connection, waiting, keyed, TaskState.CANCELLED, null);
  }

  private static List<Unfinished> lock(Connection connection, Collection<ScheduleId> schedules)
      throws SQLException {
    UUID[] ids = schedules.stream().map(ScheduleId::value).toArray(UUID[]::new);
    List<Unfinished> tasks = new ArrayList<>();
    try (Call call =
            LOCK.on(connection)
                .with("schedules", BinaryArray.uuids(ids))
                .with("max_tasks", MOST_CANCELLED);
        ResultSet rows = call.query()) {
      while (rows.next()) {
        tasks.add(
            new Unfinished(
                new TaskId(Columns.uuid(rows, 1)),
                States.of(Columns.text(rows, 2)),
                KeyRows.key(rows, 3)));
      }
    }
    return tasks;
  }

  /** The number of a queue, which is made if it is new; {@link NoMoreQueues} if it cannot be. */
  public static QueueId queue(Connection connection, QueueName name) throws SQLException {
    QueueId id = QueueNumbers.of(connection, List.of(name)).get(name);
    if (id == null) {
      throw new NoMoreQueues();
    }
    return id;
  }

  /** A state as the schema writes it. */
  public static TaskState state(String code) {
    return States.of(code);
  }
}
