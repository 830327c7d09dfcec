package io.kairos.bench.schedule;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.kairos.bench.observe.ArrivalLedger;
import io.kairos.bench.report.FigureList;
import io.kairos.bench.report.RunVerdict;
import io.kairos.bench.task.ExecutionLog.Execution;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.LongBinaryOperator;

/**
 * Runs of the first rounds of a plan, as workers or endpoints got them: each fire time must come
 * once. Thread-safe.
 */
public final class PlannedRuns {
  /** A run that is due as soon as its fire time has fired. */
  public static final LongBinaryOperator AT_ONCE = (_, fireMicros) -> fireMicros;

  private final FirePlan plan;
  private final LongBinaryOperator due;
  private final int expected;
  private final ArrivalLedger ledger;

  @GuardedBy("this")
  private final long[] latestByRound;

  @GuardedBy("this")
  private long unexpected;

  /**
   * Expects the runs of a number of rounds.
   *
   * @param due when the run of a schedule, by its sequence number, and a fire time is due
   * @param measuredFromRound the first that counts for lateness
   */
  public PlannedRuns(FirePlan plan, LongBinaryOperator due, int measuredFromRound, int rounds) {
    this.plan = plan;
    this.due = due;
    this.expected = plan.fires(rounds);
    this.ledger =
        new ArrivalLedger(
            plan.atMicros(0), plan.atMicros(measuredFromRound), plan.atMicros(rounds));
    this.latestByRound = new long[rounds];
  }

  /** A run of a fire time of a schedule. */
  public synchronized void arrived(long sequence, long fireMicros, long atMicros) {
    OptionalLong index = plan.index(sequence, fireMicros);
    if (index.isEmpty()) {
      unexpected++;
    } else if (index.getAsLong() < expected) {
      long dueMicros = due.applyAsLong(sequence, fireMicros);
      if (!ledger.arrived(index.getAsLong(), dueMicros, atMicros, true)) {
        int round = plan.roundOf(fireMicros);
        latestByRound[round] = Math.max(latestByRound[round], atMicros - dueMicros);
      }
    }
  }

  /** Enters an execution from a worker's log, if it is of the load with this number. */
  public void performed(Execution one, long run) {
    if (one.run() == run) {
      arrived(one.sequence(), one.dueMicros(), one.beganMicros());
    }
  }

  /** Enters a run that is not in the plan. */
  synchronized void notOfThePlan() {
    unexpected++;
  }

  /** Each fire time by its number in the plan. */
  ArrivalLedger ledger() {
    return ledger;
  }

  int expected() {
    return expected;
  }

  ArrivalLedger.Missing missing() {
    return ledger.missing(expected, Set.of());
  }

  /** The longest delay between a due time and its run in some rounds. */
  public synchronized double latestMillis(int fromRound, int toRound) {
    return FirePlan.latestMillis(latestByRound, fromRound, toRound);
  }

  /** Reports how many runs came, are missing, or are too many. */
  public synchronized void report(FigureList figures, RunVerdict verdict) {
    ArrivalLedger.Count count = ledger.count();
    figures
        .row("runs")
        .count("runs.performed", "performed", count.distinct())
        .count("runs.lost", "lost", missing().lost())
        .count("runs.again", "again", count.duplicates())
        .count("runs.unexpected", "not of the rule", unexpected)
        .count("runs.early", "early", count.early());
    verdict
        .demand(missing().lost() == 0, "runs were not performed")
        .demand(unexpected == 0, "runs were performed that the rule does not name")
        .expect(count.early() == 0, "runs began early");
  }
}
