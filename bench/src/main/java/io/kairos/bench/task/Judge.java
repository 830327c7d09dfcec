package io.kairos.bench.task;

import io.kairos.bench.observe.Ledger;
import io.kairos.bench.task.ExecutionLog.Execution;

/** Reads the logs of the workers of a run: what is its own, and what others had done beside it. */
final class Judge {
  private final long run;
  private final Ledger ledger;
  private final KeyOrder order;
  private final long fromNanos;
  private final long untilNanos;
  private long bystanders;

  /**
   * @param fromNanos from when on bystanders count, by when they ended
   */
  Judge(long run, Ledger ledger, KeyPlan keys, long fromNanos, long untilNanos) {
    this.run = run;
    this.ledger = ledger;
    this.order = new KeyOrder(keys);
    this.fromNanos = fromNanos;
    this.untilNanos = untilNanos;
  }

  void performed(Execution one) {
    if (one.run() == run) {
      ledger.arrived(one.sequence(), one.dueMicros(), one.beganMicros(), true);
      order.performed(one);
    } else if (one.endedNanos() - fromNanos >= 0 && one.endedNanos() - untilNanos < 0) {
      bystanders++;
    }
  }

  Ledger ledger() {
    return ledger;
  }

  KeyOrder.Count order() {
    return order.count();
  }

  long bystanders() {
    return bystanders;
  }
}
