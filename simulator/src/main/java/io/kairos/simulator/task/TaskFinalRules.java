package io.kairos.simulator.task;

import static io.kairos.simulator.kernel.RareState.BATCH_ENDED;
import static io.kairos.simulator.kernel.RareState.UNKNOWN_INSERT_THAT_DID_COMMIT;
import static io.kairos.simulator.kernel.RuleNames.DRAINS;
import static io.kairos.simulator.task.TaskRuleNames.DURABLE;
import static io.kairos.simulator.task.TaskRuleNames.FAIR;
import static io.kairos.simulator.task.TaskRuleNames.IN_TURN;
import static io.kairos.simulator.task.TaskRuleNames.ISOLATED;
import static io.kairos.simulator.task.TaskTrack.NEVER;

import io.kairos.domain.task.TaskState;
import io.kairos.domain.task.graph.EdgeEffect;
import io.kairos.domain.task.queue.QueueName;
import io.kairos.domain.task.queue.TaskHandler;
import io.kairos.model.task.TaskStoreObserver;
import io.kairos.simulator.kernel.SimulatedCluster;
import io.kairos.simulator.kernel.VirtualClock;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Judges the whole history when the world has been healed and has drained: nothing accepted is
 * lost, everything has ended, and in the calm at the end what could begin on time did, although
 * other queues were stuck or flooded, or another fairness key of its queue had a flood.
 */
record TaskFinalRules(TaskHistory ledger, TaskScenario scenario, SimulatedCluster.Span span) {
  private static final long DUE_BEFORE_THE_END_NANOS = Duration.ofSeconds(10).toNanos();

  void check() {
    for (BatchTrack batch : ledger.batches()) {
      ledger.reached(
          BATCH_ENDED, batch.isClosed && !batch.members.isEmpty() && batch.end() != null);
    }
    for (TaskTrack task : ledger.tasks()) {
      TaskStoreObserver.Row row = task.row;
      if (row == null) {
        ledger.check(
            task.acceptedAtNanos == NEVER, DURABLE, () -> task + " was accepted and is not stored");
      } else {
        check(task, row);
      }
    }
  }

  /**
   * A task may wait for ever for one that has failed and is not forgotten, or for one that is due
   * after the end.
   */
  private boolean isExcused(TaskTrack task) {
    return task.after.stream()
        .anyMatch(one -> {
          TaskTrack predecessor = one.predecessor();
          if (predecessor == null) {
            return one.holdsUp();
          }
          return predecessor.isFinished()
              ? one.effect() == EdgeEffect.STAYS_OPEN && !isLongForgotten(predecessor)
              : isDueAfterTheEnd(predecessor.row) || isExcused(predecessor);
        });
  }

  private boolean isLongForgotten(TaskTrack task) {
    return task.isForgotten()
        && span.endNanos() - Math.max(task.forgottenAtNanos, span.healNanos())
            > scenario.sweepNanos();
  }

  /** A store's clock that was ahead has made such due times. */
  private boolean isDueAfterTheEnd(TaskStoreObserver.@Nullable Row row) {
    long lastNanos = span.endNanos() - DUE_BEFORE_THE_END_NANOS;
    return row != null
        && !row.state().isFinished()
        && row.dueMicros() > VirtualClock.EPOCH_MICROS + lastNanos / 1_000;
  }

  private void check(TaskTrack task, TaskStoreObserver.Row row) {
    ledger.check(
        row.state().isFinished()
            || isDueAfterTheEnd(row)
            || (row.state() == TaskState.AWAITING && isExcused(task)),
        DRAINS,
        () -> task + " has not ended, held by " + row.holder());
    ledger.reached(UNKNOWN_INSERT_THAT_DID_COMMIT, task.acceptedAtNanos == NEVER);
    TaskHandler handler = task.asked.queue().handler();
    boolean isBesideFlood =
        (handler.equals(TaskScenario.FLOODED) || handler.equals(TaskScenario.ASIDE))
            && task.asked.queue().priority() == QueueName.DEFAULT;
    boolean calm =
        task.asked.atNanos() >= TaskScenario.CALM_AT.toNanos()
            && handler.equals(TaskScenario.QUICK)
            && task.asked.key() == null;
    boolean isSingle = TaskWorkload.isSingle(task.asked);
    if (calm || isBesideFlood || isSingle) {
      long dueNanos = (task.asked.dueMicros() - VirtualClock.EPOCH_MICROS) * 1_000;
      long lateMicros = (task.firstClaimedAtNanos - Math.max(dueNanos, task.storedAtNanos)) / 1_000;
      ledger.check(
          lateMicros <= (calm ? scenario.lateMicros() : scenario.lateBesideFloodMicros()),
          calm ? ISOLATED : isSingle ? FAIR : IN_TURN,
          () -> task + " began " + lateMicros + " us late, while only others were stuck");
    }
  }
}
