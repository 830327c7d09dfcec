package io.kairos.bench.schedule;

import io.kairos.bench.observe.Lateness;
import io.kairos.bench.report.Shown;
import java.time.Duration;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;
import org.HdrHistogram.Histogram;

/**
 * What the fire ledger says of the first rounds of a plan, against what the plan says: each fire
 * time is to be decided exactly once. Built up entry by entry; not thread-safe.
 */
public final class Decisions {
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
  Decisions(FirePlan plan, int measuredFromRound, int rounds) {
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

  /** How long after its fire time the latest of some rounds was decided. */
  public double latestMillis(int fromRound, int toRound) {
    return Latest.millis(latestByRound, fromRound, toRound);
  }

  public Count count() {
    return new Count(
        expected,
        fired,
        skipped,
        expected - decided.cardinality(),
        twice,
        unexpected,
        early,
        withoutTask,
        Lateness.ofMicros(lateness));
  }

  /**
   * The accounts.
   *
   * @param undecided of these the ledger says nothing
   * @param twice decided more than once
   * @param unexpected decided although the rule does not name them
   * @param early decided before they had come
   * @param withoutTask fired, but the store has no such task
   * @param lateness from the fire time to the decision, of what fired in the measured rounds
   */
  public record Count(
      long expected,
      long fired,
      long skipped,
      long undecided,
      long twice,
      long unexpected,
      long early,
      long withoutTask,
      Lateness lateness) {
    /** Something was lost or doubled. */
    public boolean isVoid() {
      return undecided + twice + unexpected + withoutTask > 0;
    }

    public boolean isClean() {
      return !isVoid() && skipped == 0 && early == 0;
    }

    @Override
    public String toString() {
      return "%s fire times: fired %s, skipped %s, undecided %s, decided twice %s, not of the rule %s, early %s, without a task %s"
          .formatted(
              Shown.count(expected),
              Shown.count(fired),
              Shown.count(skipped),
              Shown.count(undecided),
              Shown.count(twice),
              Shown.count(unexpected),
              Shown.count(early),
              Shown.count(withoutTask));
    }

    Map<String, Object> data() {
      Map<String, Object> data = new LinkedHashMap<>();
      data.put("expected", expected);
      data.put("fired", fired);
      data.put("skipped", skipped);
      data.put("undecided", undecided);
      data.put("twice", twice);
      data.put("unexpected", unexpected);
      data.put("early", early);
      data.put("withoutTask", withoutTask);
      data.put("decidedP50", lateness.p50());
      data.put("decidedP99", lateness.p99());
      data.put("decidedMax", lateness.max());
      return data;
    }
  }
}
