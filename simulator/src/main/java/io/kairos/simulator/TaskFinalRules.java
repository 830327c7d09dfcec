package io.kairos.simulator;

import io.kairos.testkit.task.TaskObserver;

/**
 * Judges the whole history when the world has been healed and has drained: nothing accepted is
 * lost, everything has ended, and in the calm at the end what could begin on time did, although
 * other queues were stuck.
 */
final class TaskFinalRules {
  private final TaskLedger ledger;
  private final TaskScenario scenario;

  TaskFinalRules(TaskLedger ledger, TaskScenario scenario) {
    this.ledger = ledger;
    this.scenario = scenario;
  }

  void check() {
    for (TaskTrack task : ledger.tasks()) {
      TaskObserver.Row row = task.row;
      if (row == null) {
        ledger.check(
            task.acceptedAtNanos == TaskTrack.NEVER,
            Rules.DURABLE,
            () -> task + " was accepted and is not stored");
      } else {
        check(task, row);
      }
    }
  }

  private void check(TaskTrack task, TaskObserver.Row row) {
    ledger.check(
        row.state().isFinished() || row.dueMicros() > TaskScenario.LAST_DUE_MICROS,
        Rules.DRAINS,
        () -> task + " has not ended, held by " + row.holder());
    if (task.acceptedAtNanos == TaskTrack.NEVER) {
      ledger.reached(RareState.UNKNOWN_INSERT_THAT_DID_COMMIT);
    }
    boolean calm =
        task.asked.atNanos() >= TaskScenario.CALM_AT.toNanos()
            && task.asked.queue().handler().equals(TaskScenario.QUICK)
            && task.asked.key() == null;
    if (calm) {
      long dueNanos = (task.asked.dueMicros() - SimClock.EPOCH_MICROS) * 1_000;
      long lateMicros = (task.firstClaimedAtNanos - Math.max(dueNanos, task.storedAtNanos)) / 1_000;
      ledger.check(
          lateMicros <= scenario.lateMicros(),
          Rules.ISOLATED,
          () -> task + " began " + lateMicros + " us late, while only other queues were stuck");
    }
  }
}
