package io.kairos.bench.schedule;

import io.kairos.bench.observe.LatenessSummary;
import io.kairos.bench.report.FigureList;
import io.kairos.bench.report.RunVerdict;
import java.time.Duration;
import java.util.BitSet;
import java.util.OptionalLong;
import org.HdrHistogram.Histogram;

/**
 * Compares the fire ledger with the first rounds of a plan: each fire time must be decided exactly
 * once. Filled entry by entry; not thread-safe.
 */
public final class FireDecisions {
  private static final long HIGHEST_MICROS = Duration.ofHours(24).toNanos() / 1_000;

  private final FirePlan plan;
  private final int expected;
  private final BitSet decided;
  private final long[] latestByRound;
  private final int measuredFromRound;
  private final Histogram lateness = new Histogram(HIGHEST_MICROS, 3);
  private long fired;
  private long skipped;
  private long twice;
  private long unexpected;
  private long early;
  private long withoutTask;

  /**
   * @param measuredFromRound the first that counts for lateness
   */
  FireDecisions(FirePlan plan, int measuredFromRound, int rounds) {
    this.plan = plan;
    this.measuredFromRound = measuredFromRound;
    this.expected = plan.fires(rounds);
    this.decided = new BitSet(expected);
    this.latestByRound = new long[rounds];
  }

  /**
   * A row of the ledger.
   *
   * @param untilMicros the last fire time of a range
   * @param hasTask whether the store has the task, or its end
   */
  record Entry(
      long sequence,
      long fireMicros,
      long untilMicros,
      boolean fired,
      long decidedMicros,
      boolean hasTask) {}

  void add(Entry entry) {
    boolean known = false;
    for (long at = entry.fireMicros; at <= entry.untilMicros; at += plan.unit().micros()) {
      OptionalLong index = plan.index(entry.sequence, at);
      if (index.isPresent() && index.getAsLong() < expected) {
        known = true;
        decided(Math.toIntExact(index.getAsLong()), at, entry);
      }
    }
    if (!known) {
      unexpected++;
    }
  }

  private void decided(int index, long fireMicros, Entry entry) {
    if (decided.get(index)) {
      twice++;
    }
    decided.set(index);
    if (!entry.fired) {
      skipped++;
      return;
    }
    fired++;
    if (!entry.hasTask) {
      withoutTask++;
    }
    long late = entry.decidedMicros - fireMicros;
    if (late < 0) {
      early++;
    }
    int round = plan.roundOf(fireMicros);
    latestByRound[round] = Math.max(latestByRound[round], late);
    if (round >= measuredFromRound) {
      lateness.recordValue(Math.clamp(late, 0, HIGHEST_MICROS));
    }
  }

  /** The longest delay between a fire time and its decision in some rounds. */
  public double latestMillis(int fromRound, int toRound) {
    return FirePlan.latestMillis(latestByRound, fromRound, toRound);
  }

  /** Fire times of which the ledger says nothing. */
  int undecided() {
    return expected - decided.cardinality();
  }

  /** Says how the fire times were decided: each is to be fired once, with its task. */
  public void report(FigureList figures, RunVerdict verdict) {
    figures
        .row("fire times")
        .count("ledger.expected", "expected", expected)
        .count("ledger.fired", "fired", fired)
        .count("ledger.skipped", "skipped", skipped)
        .count("ledger.undecided", "undecided", undecided())
        .count("ledger.twice", "decided twice", twice)
        .count("ledger.unexpected", "not of the rule", unexpected)
        .count("ledger.early", "early", early)
        .count("ledger.withoutTask", "without a task", withoutTask)
        .lateness("ledger.decided", "decided", LatenessSummary.ofMicros(lateness));
    verdict
        .demand(undecided() == 0, "fire times were lost")
        .demand(twice + unexpected == 0, "fire times were doubled")
        .demand(withoutTask == 0, "what fired has no task")
        .expect(skipped == 0, "fire times were skipped")
        .expect(early == 0, "something fired early");
  }
}
