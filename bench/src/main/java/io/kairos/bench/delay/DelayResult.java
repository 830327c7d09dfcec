package io.kairos.bench.delay;

import io.kairos.bench.measure.GcLog;
import io.kairos.bench.observe.Lateness;
import io.kairos.bench.observe.Ledger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What one run showed.
 *
 * @param acceptedPerSecond taken by the broker, over the whole load
 * @param firedPerSecond due and delivered in the measured part
 * @param pauses of each node, in the measured part
 * @param nodeCounters what the nodes counted during the run, summed
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

  /** What spoils a run that is not void, in words; empty for a clean one. */
  List<String> faults() {
    List<String> faults = new ArrayList<>();
    if (count.duplicates() > 0) {
      faults.add("duplicates");
    }
    if (count.early() > 0) {
      faults.add("early messages");
    }
    if (counted(NodeCounters.TAKEN_OVER) > 0) {
      faults.add("takeovers without a fault");
    }
    if (counted(NodeCounters.SUSPECTED) > 0) {
      faults.add("suspicions without a fault");
    }
    if (firedPerSecond < settings.perSecond() * RATE_KEPT) {
      faults.add("the rate was not kept");
    }
    if (leftInStore > 0) {
      faults.add("rows left behind");
    }
    return faults;
  }

  boolean isClean() {
    return !isVoid() && faults().isEmpty();
  }

  boolean passes(double limitMillis) {
    return isClean() && lateness.p999() <= limitMillis;
  }

  private double counted(String what) {
    return nodeCounters.getOrDefault(what, 0.0);
  }
}
