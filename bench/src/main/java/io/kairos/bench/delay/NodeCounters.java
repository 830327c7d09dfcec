package io.kairos.bench.delay;

import io.kairos.bench.measure.NodeMetrics;
import io.kairos.bench.report.FigureList;
import io.kairos.bench.rig.BenchNodeProcess;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The nodes' own counters that belong beside a run, summed over the nodes. */
public final class NodeCounters {
  /** Messages that one node took over from another. */
  public static final String TAKEN_OVER = "taken over";

  /** Messages reset after the hold time. */
  public static final String SUSPECTED = "suspected";

  /** Name in the result, name of the metric. */
  private static final Map<String, String> WANTED = new LinkedHashMap<>();

  static {
    WANTED.put(TAKEN_OVER, "kairos_delay_taken_over_total");
    WANTED.put(SUSPECTED, "kairos_delay_suspected_total");
    WANTED.put("gone", "kairos_delay_gone_total");
    WANTED.put("deferred", "kairos_delay_deferred_total");
    WANTED.put("publish failures", "kairos_delay_publish_failures_total");
    WANTED.put("dead letters", "kairos_delay_dead_letters_total");
    WANTED.put("repositioned", "kairos_delay_repositioned_total");
    WANTED.put("lapses", "kairos_node_lapses_total");
  }

  private NodeCounters() {}

  /** Sums the counters of these nodes; throws when one does not answer. */
  public static Map<String, Double> sum(List<BenchNodeProcess> nodes) {
    Map<String, Double> sums = new LinkedHashMap<>();
    for (BenchNodeProcess node : nodes) {
      NodeMetrics metrics = node.metrics();
      WANTED.forEach((name, metric) -> sums.merge(name, metrics.sum(metric), Double::sum));
    }
    return sums;
  }

  /** Sums the counters since an earlier look, which leaves out what happened before the run. */
  static Map<String, Double> since(Map<String, Double> before, List<BenchNodeProcess> nodes) {
    Map<String, Double> sums = sum(nodes);
    sums.replaceAll((name, value) -> value - before.getOrDefault(name, 0.0));
    return sums;
  }

  static void report(Map<String, Double> counters, FigureList figures) {
    figures.row("nodes say");
    counters.forEach((name, value) -> figures.count("nodeCounters." + name, name, value));
  }
}
