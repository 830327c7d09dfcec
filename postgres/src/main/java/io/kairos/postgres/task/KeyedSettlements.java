package io.kairos.postgres.task;

import io.kairos.domain.task.FencedTask;
import io.kairos.domain.task.OrderingKeyId;
import io.kairos.domain.task.OrderingKeyState.Change;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.TaskState;
import io.kairos.domain.task.limit.TaskLimits;
import io.kairos.domain.task.queue.QueueId;
import io.kairos.engine.task.port.EnqueueRequest;
import io.kairos.engine.task.port.Settlement;
import io.kairos.engine.task.port.SettlementResult;
import io.kairos.postgres.sql.SqlStatement;
import io.kairos.postgres.task.row.FencedRows;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Ends attempts of tasks with ordering keys, limits by key or successors in a transaction. The
 * tasks are locked first, then their keys, then the uses of their limits.
 */
final class KeyedSettlements {
  private static final SqlStatement LOCK = SqlStatement.load("task/settle_lock.sql");

  private KeyedSettlements() {}

  /**
   * An attempt.
   *
   * @param key null for a task without one
   */
  private record Held(
      @Nullable OrderingKeyId key,
      boolean isCancelRequested,
      boolean hasSuccessors,
      TaskLimits limits) {}

  /**
   * Settles the tasks that have a key, limits or successors. Passes over tasks without, and over
   * those whose fence has changed.
   *
   * @param fingerprints those of the settlements
   * @param onto the queues on which the next tasks of the keys are put; null for none
   */
  static SettlementResult run(
      Connection connection,
      List<Settlement> settlements,
      FailureFingerprints fingerprints,
      @Nullable EnqueueRequest onto,
      SettlementTerms terms) {
    Map<FencedTask, Held> held = lock(connection, settlements);
    if (held.isEmpty()) {
      return SettlementResult.NOTHING;
    }
    LockedKeys keys =
        LockedKeys.lock(
            connection,
            held.values().stream().flatMap(task -> Stream.ofNullable(task.key())).toList());
    KeyLimits limits =
        KeyLimits.lock(connection, held.values().stream().map(Held::limits).toList());
    List<Settlement> keyed =
        settlements.stream().filter(one -> held.containsKey(one.task())).toList();
    SettlementStatements settling = new SettlementStatements(keyed, terms, fingerprints);
    Set<FencedTask> settled = settling.run(connection, true);
    SortedMap<TaskId, TaskState> ends = new TreeMap<>();
    List<TaskLimits> freed = new ArrayList<>();
    for (Settlement settlement : keyed) {
      Held task = held.get(settlement.task());
      if (task == null || !settled.contains(settlement.task())) {
        continue;
      }
      TaskId id = settlement.task().id();
      freed.add(task.limits());
      OrderingKeyId key = task.key();
      if (key != null) {
        keys.note(key, id, change(settlement, task));
      }
      TaskState end = end(settlement, task);
      if (end != null && task.hasSuccessors()) {
        ends.put(id, end);
      }
    }
    KeyRows.Promoted next = keys.write(onto);
    Set<QueueId> roomIn = new HashSet<>(next.queues());
    roomIn.addAll(settling.roomIn());
    roomIn.addAll(TaskGraphs.follow(connection, ends));
    roomIn.addAll(limits.noteEnds(freed));
    return new SettlementResult(
        settled, roomIn, settling.executions(), next.enqueued(), settling.traceparents());
  }

  private static Map<FencedTask, Held> lock(Connection connection, List<Settlement> settlements) {
    return FencedRows.of(settlements, Settlement::task)
        .bind(LOCK.on(connection))
        .map(
            FencedRows::read,
            row ->
                new Held(
                    KeyRows.key(row, 3),
                    row.getBoolean(4),
                    row.getBoolean(5),
                    TaskLimits.ofStored(row.getString(6))));
  }

  private static Change change(Settlement settlement, Held task) {
    return switch (settlement) {
      case Settlement.Finish finish -> change(finish.state());
      case Settlement.Retry _, Settlement.NotBegun _, Settlement.Snooze _ ->
          task.isCancelRequested() ? Change.ENDED : Change.FAILED_FOR_NOW;
      case Settlement.Requeue _ -> throw new IllegalStateException("not an attempt's end");
    };
  }

  /** The end of the task; null when it waits. */
  private static @Nullable TaskState end(Settlement settlement, Held task) {
    return switch (settlement) {
      case Settlement.Finish finish -> finish.state();
      case Settlement.Retry _, Settlement.NotBegun _, Settlement.Snooze _ ->
          task.isCancelRequested() ? TaskState.CANCELLED : null;
      case Settlement.Requeue _ -> throw new IllegalStateException("not an attempt's end");
    };
  }

  private static Change change(TaskState end) {
    return switch (end) {
      case FAILED, DEAD -> Change.FAILED_FOR_GOOD;
      case SUCCEEDED,
          CANCELLED,
          NEW,
          ENQUEUED,
          PROCESSING,
          RETRIABLE_FAILURE,
          AWAITING,
          BLOCKED,
          PAUSED ->
          Change.ENDED;
    };
  }
}
