package io.kairos.postgres.task;

import static java.util.Objects.requireNonNull;

import io.kairos.domain.task.FencedTask;
import io.kairos.domain.task.OrderingKeyId;
import io.kairos.domain.task.OrderingKeyState.Change;
import io.kairos.domain.task.TaskState;
import io.kairos.domain.task.limit.TaskLimits;
import io.kairos.engine.task.port.EnqueueRequest;
import io.kairos.engine.task.port.Settlement;
import io.kairos.engine.task.port.SettlementResult;
import io.kairos.postgres.sql.SqlStatement;
import io.kairos.postgres.task.EnqueuedRows.Woken;
import io.kairos.postgres.task.row.FencedRows;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
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
  private record Held(@Nullable OrderingKeyId key, boolean isCancelRequested, TaskLimits limits) {}

  /**
   * What was settled.
   *
   * @param followed how many ended for which others wait
   */
  record Settled(SettlementResult result, int followed) {}

  /**
   * Settles the tasks that have a key, limits or successors. Passes over tasks without, and over
   * those whose fence has changed.
   *
   * @param fingerprints those of the settlements
   * @param onto the queues on which the next tasks of the keys and ready successors are put; null
   *     for none
   */
  static Settled run(
      Connection connection,
      List<Settlement> settlements,
      FailureFingerprints fingerprints,
      @Nullable EnqueueRequest onto,
      SettlementTerms terms) {
    Map<FencedTask, Held> held = lock(connection, settlements);
    if (held.isEmpty()) {
      return new Settled(SettlementResult.NOTHING, 0);
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
    Set<FencedTask> settled = settling.run(connection, SettlementStatements.Which.ALL);
    List<TaskLimits> freed = new ArrayList<>();
    for (Settlement settlement : keyed) {
      if (!settled.contains(settlement.task())) {
        continue;
      }
      Held task = requireNonNull(held.get(settlement.task()));
      freed.add(task.limits());
      OrderingKeyId key = task.key();
      if (key != null) {
        keys.note(key, settlement.task().id(), change(settlement, task));
      }
    }
    Woken next = keys.write(onto);
    next.queues().addAll(limits.noteEnds(freed));
    return new Settled(settling.result(connection, next, onto), settling.ends().size());
  }

  private static Map<FencedTask, Held> lock(Connection connection, List<Settlement> settlements) {
    return FencedRows.of(settlements, Settlement::task)
        .bind(LOCK.on(connection))
        .map(
            FencedRows::read,
            row ->
                new Held(
                    KeyRows.key(row, 3), row.getBoolean(4), TaskLimits.ofStored(row.getString(5))));
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
