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
import io.kairos.domain.task.queue.QueueName;
import io.kairos.domain.task.queue.TaskHandler;
import io.kairos.model.task.TaskStoreObserver;
import io.kairos.simulator.kernel.VirtualClock;
import org.jspecify.annotations.Nullable;

/**
 * Judges the whole history when the world has been healed and has drained: nothing accepted is
 * lost, everything has ended, and in the calm at the end what could begin on time did, although
 * other queues were stuck or flooded, or another fairness key of its queue had a flood.
 */
record TaskFinalRules(TaskHistory ledger, TaskScenario scenario) {

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

  /** A task may wait for ever for one that has failed, or that is due after the end. */
  private static boolean isExcused(TaskTrack task) {
    return task.isHeldUp()
        || task.after.stream()
            .anyMatch(one -> one.predecessor() != null && isDueAfterTheEnd(one.predecessor().row));
  }

  private static boolean isDueAfterTheEnd(TaskStoreObserver.@Nullable Row row) {
    return row != null
        && !row.state().isFinished()
        && row.dueMicros() > TaskScenario.LAST_DUE_MICROS;
  }

  private void check(TaskTrack task, TaskStoreObserver.Row row) {
    ledger.check(
        row.state().isFinished()
            || row.dueMicros() > TaskScenario.LAST_DUE_MICROS
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
