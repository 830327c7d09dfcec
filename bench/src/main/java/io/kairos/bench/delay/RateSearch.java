package io.kairos.bench.delay;

import io.kairos.bench.report.Shown;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Finds the highest rate that is kept cleanly and within the lateness limit: doubles until a short
 * run fails, then halves the gap. Short runs flatter, because no checkpoint or vacuum may fall into
 * them; what is found is where to begin a long one.
 */
final class RateSearch {
  private static final Duration WARMUP = Duration.ofSeconds(15);
  private static final Duration DURATION = Duration.ofSeconds(30);

  /** The search ends when the gap is less than this share of the rate. */
  private static final double FINE_ENOUGH = 0.08;

  private static final double LOWEST = 100;

  private final DelayRun run;
  private final DelaySettings settings;
  private final double limitMillis;
  private final Progress progress;
  private final List<DelayResult> probes = new ArrayList<>();

  RateSearch(DelayRun run, DelaySettings settings, double limitMillis, Progress progress) {
    this.run = run;
    this.settings = settings;
    this.limitMillis = limitMillis;
    this.progress = progress;
  }

  /** The highest rate that passed, zero when none did. */
  double highest() throws SQLException {
    double passed = 0;
    double rate = settings.perSecond();
    while (probe(rate)) {
      passed = rate;
      rate *= 2;
    }
    double failed = rate;
    while (passed == 0 && failed > LOWEST) {
      rate = failed / 2;
      if (probe(rate)) {
        passed = rate;
      } else {
        failed = rate;
      }
    }
    while (passed > 0 && failed - passed > failed * FINE_ENOUGH) {
      rate = (passed + failed) / 2;
      if (probe(rate)) {
        passed = rate;
      } else {
        failed = rate;
      }
    }
    return passed;
  }

  private boolean probe(double rate) throws SQLException {
    DelayResult result = run.run(settings.at(rate, WARMUP, DURATION));
    probes.add(result);
    boolean passes = result.passes(limitMillis);
    progress.say(
        "%s msg/s: fired %s, p99.9 %s, CPU %s µs per message: %s"
            .formatted(
                Shown.count(rate),
                Shown.count(result.firedPerSecond()),
                Shown.millis(result.lateness().p999()),
                Shown.decimal(result.cost().systemMicros()),
                passes ? "kept" : "not kept, " + DelayReport.verdict(result)));
    return passes;
  }

  List<DelayResult> probes() {
    return List.copyOf(probes);
  }
}
