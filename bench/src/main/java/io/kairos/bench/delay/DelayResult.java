package io.kairos.bench.delay;

import io.kairos.bench.measure.GcLog;
import io.kairos.bench.observe.Lateness;
import io.kairos.bench.observe.Ledger;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * What one run showed.
 *
 * @param acceptedPerSecond taken by the broker, over the whole load
 * @param firedPerSecond due and delivered in the measured part
 * @param pauses of each node, in the measured part
 * @param nodeCounters sums over the nodes, at the end
 * @param leftInStore rows of the route that were still there when everything had come
 * @param tableBytes the table with its indexes, every ten seconds
 */
record DelayResult(
    DelaySettings settings,
    long sent,
    long refused,
    Duration generatorLag,
    double acceptedPerSecond,
    double firedPerSecond,
    Lateness lateness,
    Lateness hiccup,
    Ledger.Count count,
    Ledger.Missing missing,
    Cost cost,
    List<GcLog.Pauses> pauses,
    Map<String, Double> nodeCounters,
    long leftInStore,
    List<Long> tableBytes,
    List<Ledger.Second> perSecond) {
  /** A generator that cannot keep its schedule has measured something else. */
  private static final double RATE_KEPT = 0.99;

  boolean isVoid() {
    return missing.lost() > 0 || count.damaged() > 0;
  }

  /** Nothing lost, duplicated, early or damaged. */
  boolean isClean() {
    return !isVoid() && count.duplicates() == 0 && count.early() == 0;
  }

  boolean keptRate() {
    return firedPerSecond >= settings.perSecond() * RATE_KEPT;
  }

  boolean passes(double limitMillis) {
    return isClean() && keptRate() && lateness.p999() <= limitMillis;
  }

  double takeovers() {
    return nodeCounters.getOrDefault(NodeCounters.TAKEN_OVER, 0.0);
  }
}
