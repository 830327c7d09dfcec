package io.kairos.bench.schedule;

import io.kairos.bench.observe.Lateness;
import io.kairos.bench.observe.Ledger;
import io.kairos.bench.report.Shown;
import io.kairos.bench.task.ExecutionLog.Execution;
import io.kairos.bench.task.TaskWorkers;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;

/**
 * What the workers' own logs say of the first rounds of a plan: each fire time is to be performed.
 * Not thread-safe.
 */
public final class Runs {
  private final FirePlan plan;
  private final long run;
  private final int expected;
  private final Ledger ledger;
  private final long[] latestByRound;
  private long unexpected;

  /**
   * @param run of the payloads
   * @param measuredFromRound the first that counts for lateness
   */
  private Runs(FirePlan plan, long run, int measuredFromRound, int rounds) {
    this.plan = plan;
    this.run = run;
    this.expected = plan.fires(rounds);
    this.ledger =
        new Ledger(plan.atMicros(0), plan.atMicros(measuredFromRound), plan.atMicros(rounds));
    this.latestByRound = new long[rounds];
  }

  /** By the logs of workers that have stopped. */
  public static Runs read(
      TaskWorkers workers, FirePlan plan, long run, int measuredFromRound, int rounds) {
    Runs runs = new Runs(plan, run, measuredFromRound, rounds);
    workers.read(runs::performed);
    return runs;
  }

  private void performed(Execution one) {
    if (one.run() != run) {
      return;
    }
    OptionalLong index = plan.index(one.sequence(), one.dueMicros());
    if (index.isEmpty()) {
      unexpected++;
    } else if (index.getAsLong() < expected
        && !ledger.arrived(index.getAsLong(), one.dueMicros(), one.beganMicros(), true)) {
      int round = plan.roundOf(one.dueMicros());
      latestByRound[round] = Math.max(latestByRound[round], one.beganMicros() - one.dueMicros());
    }
  }

  /** How long after its fire time the latest of some rounds began. */
  public double latestMillis(int fromRound, int toRound) {
    return Latest.millis(latestByRound, fromRound, toRound);
  }

  public Count count() {
    return Count.of(ledger, expected, unexpected);
  }

  /**
   * The accounts.
   *
   * @param again beyond the first time
   * @param unexpected runs of a fire time that the rule does not name
   * @param lateness from the fire time to the beginning of the handler, in the measured rounds
   */
  public record Count(
      long performed, long lost, long again, long unexpected, long early, Lateness lateness) {
    /** Of fire times that are numbered from 0 on, of which so many are expected. */
    static Count of(Ledger ledger, int expected, long unexpected) {
      Ledger.Count count = ledger.count();
      return new Count(
          count.distinct(),
          ledger.missing(expected, Set.of()).lost(),
          count.duplicates(),
          unexpected,
          count.early(),
          ledger.lateness());
    }

    public boolean isVoid() {
      return lost + again + unexpected > 0;
    }

    public boolean isClean() {
      return !isVoid() && early == 0;
    }

    @Override
    public String toString() {
      return "%s performed: lost %s, performed again %s, not of the rule %s, early %s"
          .formatted(
              Shown.count(performed),
              Shown.count(lost),
              Shown.count(again),
              Shown.count(unexpected),
              Shown.count(early));
    }

    Map<String, Object> data() {
      Map<String, Object> data = new LinkedHashMap<>();
      data.put("performed", performed);
      data.put("lost", lost);
      data.put("again", again);
      data.put("unexpected", unexpected);
      data.put("early", early);
      data.put("startP50", lateness.p50());
      data.put("startP99", lateness.p99());
      data.put("startMax", lateness.max());
      return data;
    }
  }
}
