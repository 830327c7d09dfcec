package io.kairos.postgres.task;

import io.kairos.domain.task.FencedTask;
import io.kairos.domain.task.OrderingKeyId;
import io.kairos.domain.task.OrderingKeyState.Change;
import io.kairos.domain.task.TaskState;
import io.kairos.domain.task.queue.QueueId;
import io.kairos.engine.task.port.EnqueueRequest;
import io.kairos.engine.task.port.Settlement;
import io.kairos.engine.task.port.SettlementResult;
import io.kairos.postgres.sql.SqlStatement;
import io.kairos.postgres.task.row.FencedRows;
import java.sql.Connection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Ends attempts of tasks with ordering keys in a transaction. The tasks are locked first, then
 * their keys.
 */
final class KeyedSettlements {
  private static final SqlStatement LOCK = SqlStatement.load("task/settle_lock.sql");

  private KeyedSettlements() {}

  private record Held(OrderingKeyId key, boolean isCancelRequested) {}

  /**
   * Settles the tasks that have a key. Passes over tasks without one, and over those whose fence
   * has changed.
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
    LockedKeys keys = LockedKeys.lock(connection, held.values().stream().map(Held::key).toList());
    List<Settlement> keyed =
        settlements.stream().filter(one -> held.containsKey(one.task())).toList();
    SettlementStatements settling = new SettlementStatements(keyed, terms, fingerprints);
    Set<FencedTask> settled = settling.run(connection, true);
    for (Settlement settlement : keyed) {
      Held task = held.get(settlement.task());
      if (task != null && settled.contains(settlement.task())) {
        keys.note(task.key(), settlement.task().id(), change(settlement, task));
      }
    }
    KeyRows.Promoted next = keys.write(onto);
    Set<QueueId> roomIn = new HashSet<>(next.queues());
    roomIn.addAll(settling.roomIn());
    return new SettlementResult(
        settled, roomIn, settling.executions(), next.enqueued(), settling.traceparents());
  }

  private static Map<FencedTask, Held> lock(Connection connection, List<Settlement> settlements) {
    return FencedRows.of(settlements, Settlement::task)
        .bind(LOCK.on(connection))
        .map(
            FencedRows::read,
            row -> new Held(new OrderingKeyId(row.getLong(3)), row.getBoolean(4)));
  }

  private static Change change(Settlement settlement, Held task) {
    return switch (settlement) {
      case Settlement.Finish finish -> change(finish.state());
      case Settlement.Retry _, Settlement.NotBegun _, Settlement.Snooze _ ->
          task.isCancelRequested() ? Change.ENDED : Change.FAILED_FOR_NOW;
      case Settlement.Requeue _ -> throw new IllegalStateException("not an attempt's end");
    };
  }

  private static Change change(TaskState end) {
    return switch (end) {
      case FAILED, DEAD -> Change.FAILED_FOR_GOOD;
      case SUCCEEDED, CANCELLED, NEW, ENQUEUED, PROCESSING, RETRIABLE_FAILURE, BLOCKED, PAUSED ->
          Change.ENDED;
    };
  }
}
