package io.kairos.postgres.task;

import io.kairos.domain.node.NodeId;
import io.kairos.domain.schedule.definition.ScheduleId;
import io.kairos.domain.schedule.fire.ExecutionIds;
import io.kairos.domain.task.OrderingKeyId;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.TaskState;
import io.kairos.domain.task.graph.GraphEdge;
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
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Tasks of schedules, within the transaction that decides their fire times. */
public final class FiredTasks {
  private static final SqlStatement LOCK = SqlStatement.load("task/schedule_lock.sql");
  private static final SqlStatement REQUEST = SqlStatement.load("task/cancel_request.sql");

  /**
   * The most tasks of one schedule that are cancelled at once; the rest follows at its next fire
   * time.
   */
  private static final int MOST_CANCELLED = 1_000;

  /** Twice the unfinished tasks beside which a schedule makes no more runs of several in turn. */
  private static final int MOST_AWAITED = 2_200;

  private static final UUID LAST = new UUID(-1, -1);

  private FiredTasks() {}

  /**
   * A schedule of whose tasks some are locked.
   *
   * @param tasks the new tasks, none for one that only cancels
   * @param edges edges between the new tasks
   * @param cancelsOthers true to cancel its unfinished tasks
   * @param inTurn true if its runs follow each other
   * @param turn the last run of several tasks, for which single tasks wait by edges too; null for
   *     none
   */
  public record Fired(
      ScheduleId schedule,
      List<ArrivingTask> tasks,
      List<GraphEdge> edges,
      boolean cancelsOthers,
      boolean inTurn,
      @Nullable TaskId turn) {
    public Fired {
      tasks = List.copyOf(tasks);
      edges = List.copyOf(edges);
    }

    boolean waits() {
      return isByEdges() && !cancelsOthers;
    }

    /** True if its new runs wait by edges for those tasks that have not ended. */
    boolean isByEdges() {
      return inTurn && !tasks.isEmpty() && (isOfGraphs() || turn != null);
    }

    boolean isOfGraphs() {
      return !edges.isEmpty();
    }

    /** The last id that a task may have for which the new runs wait. */
    private UUID upTo() {
      return isOfGraphs() || turn == null ? LAST : ExecutionIds.last(turn).value();
    }
  }

  /**
   * The result of storing tasks.
   *
   * @param turns of schedules whose last run of several tasks has changed, that run; null for none
   */
  public record Stored(
      Map<TaskId, TaskReceipt> receipts, Map<ScheduleId, @Nullable TaskId> turns) {}

  /**
   * Cancels and stores tasks of schedules. Admission quotas count new tasks, but do not refuse
   * them. Of the tasks that are cancelled those that wait end, and of those that a worker performs
   * the cancel is requested.
   */
  public static Stored write(
      Connection connection, NodeId node, List<Fired> fired, Duration enqueueTimeout) {
    Unfinished unfinished = Unfinished.lock(connection, fired);
    List<List<ArrivingTask>> bySchedule =
        fired.stream().map(Fired::tasks).filter(tasks -> !tasks.isEmpty()).toList();
    if (!unfinished.isNone()) {
      // Keys of new tasks are locked before any task ends, because an end locks rows of handlers,
      // and these are locked after keys.
      places(connection, bySchedule, Set.of());
      unfinished.cancel(connection);
    }
    RunEdges edges = RunEdges.place(connection, fired, unfinished.left());
    return new Stored(insert(connection, node, bySchedule, edges, enqueueTimeout), edges.turns());
  }

  private static Map<TaskId, TaskReceipt> insert(
      Connection connection,
      NodeId node,
      List<List<ArrivingTask>> bySchedule,
      RunEdges edges,
      Duration enqueueTimeout) {
    List<ArrivingTask> arrivals = bySchedule.stream().flatMap(List::stream).toList();
    if (arrivals.isEmpty()) {
      return Map.of();
    }
    List<NewTask> tasks = arrivals.stream().map(ArrivingTask::task).toList();
    Set<TaskId> awaiting = edges.awaiting();
    Map<TaskId, KeyPlacement.KeyPosition> places = places(connection, bySchedule, awaiting);
    AdmissionQuotas quotas = AdmissionQuotas.lock(connection, NewTasks.distinctQueues(tasks));
    quotas.take(tasks.stream().map(NewTask::queue).toList());
    quotas.write(connection);
    NewTasks.insert(connection, node, arrivals, places, awaiting, enqueueTimeout, false);
    edges.insert(connection);
    Map<TaskId, TaskReceipt> receipts = new HashMap<>();
    for (ArrivingTask arrival : arrivals) {
      receipts.put(arrival.task().id(), NewTasks.receipt(arrival, places, awaiting));
    }
    return receipts;
  }

  private static Map<TaskId, KeyPlacement.KeyPosition> places(
      Connection connection, List<List<ArrivingTask>> bySchedule, Set<TaskId> awaiting) {
    List<List<NewTask>> tasks =
        bySchedule.stream().map(some -> some.stream().map(ArrivingTask::task).toList()).toList();
    if (tasks.stream().flatMap(List::stream).allMatch(task -> task.details().key() == null)) {
      return Map.of();
    }
    // A transaction of an application may lock a key for long; other schedules must not wait for
    // it.
    LockWaits.bound(connection, LockWaits.LONGEST);
    Map<TaskId, KeyPlacement.KeyPosition> places = KeyPlacement.of(connection, tasks, awaiting);
    LockWaits.bound(connection, Duration.ZERO);
    return places;
  }

  /**
   * Unfinished tasks that are to be cancelled, or for which new ones wait. Locked.
   *
   * @param left those that do not end at once, by their schedules: new runs wait for them
   */
  private record Unfinished(
      List<TaskId> waiting,
      Map<TaskId, OrderingKeyId> keyed,
      List<TaskId> performed,
      Map<ScheduleId, List<TaskId>> left) {
    boolean isNone() {
      return waiting.isEmpty() && performed.isEmpty() && left.isEmpty();
    }

    static Unfinished lock(Connection connection, List<Fired> fired) {
      Unfinished found =
          new Unfinished(
              new ArrayList<>(), new LinkedHashMap<>(), new ArrayList<>(), new HashMap<>());
      List<Fired> cancelled = fired.stream().filter(Fired::cancelsOthers).toList();
      List<Fired> waits = fired.stream().filter(Fired::waits).toList();
      if (!cancelled.isEmpty() || !waits.isEmpty()) {
        LOCK.on(connection)
            .with("schedules", ColumnBatch.uuids(cancelled, one -> one.schedule().value()))
            .with("in_turn", ColumnBatch.uuids(waits, one -> one.schedule().value()))
            .with("up_to", ColumnBatch.uuids(waits, Fired::upTo))
            .with("max_tasks", MOST_CANCELLED)
            .with("max_awaited", MOST_AWAITED)
            .each(found::add);
      }
      return found;
    }

    private void add(ResultSet row) throws SQLException {
      TaskId id = new TaskId(NonNullColumns.uuid(row, 1));
      boolean isPerformed = TaskStateColumn.of(NonNullColumns.text(row, 2)) == TaskState.PROCESSING;
      OrderingKeyId key = KeyRows.key(row, 3);
      boolean isCancelled = row.getBoolean(5);
      if (isPerformed || !isCancelled) {
        left.computeIfAbsent(new ScheduleId(NonNullColumns.uuid(row, 4)), _ -> new ArrayList<>())
            .add(id);
      }
      if (isCancelled) {
        (isPerformed ? performed : waiting).add(id);
        if (!isPerformed && key != null) {
          keyed.put(id, key);
        }
      }
    }

    void cancel(Connection connection) {
      if (!performed.isEmpty()) {
        REQUEST.on(connection).with("ids", ColumnBatch.uuids(performed, TaskId::value)).update();
      }
      TaskEnds.end(connection, waiting, keyed, TaskState.CANCELLED, null);
    }
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
