package io.kairos.bench.schedule;

import io.kairos.bench.observe.Ledger;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What came to the endpoints of a pool of the first rounds of a plan: each fire time is to come
 * once. Thread-safe.
 */
final class PushedRuns {
  private final FirePlan plan;
  private final Due due;
  private final int expected;
  private final Ledger ledger;
  private final AtomicLong unexpected = new AtomicLong();

  /** When the run of a fire time is due. */
  @FunctionalInterface
  interface Due {
    long micros(int sequence, long fireMicros);
  }

  /**
   * @param measuredFromRound the first that counts for lateness
   */
  PushedRuns(FirePlan plan, Due due, int measuredFromRound, int rounds) {
    this.plan = plan;
    this.due = due;
    this.expected = plan.fires(rounds);
    this.ledger =
        new Ledger(plan.atMicros(0), plan.atMicros(measuredFromRound), plan.atMicros(rounds));
  }

  /** A request that says which fire time of which schedule it is. */
  void arrived(long sequence, long fireMicros, long atMicros) {
    OptionalLong index = plan.index(sequence, fireMicros);
    if (index.isEmpty()) {
      notOfThePlan();
    } else if (index.getAsLong() < expected) {
      ledger.arrived(
          index.getAsLong(), due.micros(Math.toIntExact(sequence), fireMicros), atMicros, true);
    }
  }

  /** A request that is none of the plan's. */
  void notOfThePlan() {
    unexpected.incrementAndGet();
  }

  Runs.Count count() {
    return Runs.Count.of(ledger, expected, unexpected.get());
  }
}
