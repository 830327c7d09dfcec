package io.kairos.bench.delay;

import io.kairos.bench.measure.GcLog;
import io.kairos.bench.observe.Lateness;
import io.kairos.bench.observe.Ledger;
import io.kairos.bench.report.LatenessPlot;
import io.kairos.bench.report.Shown;
import io.kairos.bench.report.Table;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A result as a table, as data and as a picture. */
final class DelayReport {
  private static final int BYTES_PER_KIB = 1 << 10;

  private DelayReport() {}

  static String table(DelayResult result) {
    DelaySettings settings = result.settings();
    Lateness lateness = result.lateness();
    Lateness hiccup = result.hiccup();
    Ledger.Count count = result.count();
    Cost cost = result.cost();
    Table table =
        new Table()
            .row(
                "load",
                Shown.count(settings.perSecond()) + " msg/s asked",
                "delays %s to %s, values of %d bytes, %d partitions, %d node(s), backlog %s"
                    .formatted(
                        Shown.duration(settings.delayMin()),
                        Shown.duration(settings.delayMax()),
                        settings.valueBytes(),
                        settings.partitions(),
                        settings.nodes(),
                        Shown.count(settings.backlog())))
            .row(
                "measured",
                Shown.duration(settings.duration()),
                "after %s of warm-up; generator at worst %s behind its schedule"
                    .formatted(
                        Shown.duration(settings.warmup()), Shown.duration(result.generatorLag())))
            .row("accepted", Shown.count(result.acceptedPerSecond()) + " msg/s", "by the broker")
            .row(
                "fired",
                Shown.count(result.firedPerSecond()) + " msg/s",
                "due and delivered in the measured part")
            .row("lateness", Shown.percentiles(lateness))
            .row("host hiccups", Shown.percentiles(hiccup))
            .row("p99.9 less hiccups", Shown.millis(lateness.p999() - hiccup.p999()))
            .row(
                "accounts",
                "%s sent, %s arrived: lost %s, duplicated %s, early %s, damaged %s"
                    .formatted(
                        Shown.count(result.sent()),
                        Shown.count(count.distinct()),
                        Shown.count(result.missing().lost()),
                        Shown.count(count.duplicates()),
                        Shown.count(count.early()),
                        Shown.count(count.damaged())))
            .row(
                "",
                "refused by the broker %s, earliest %s before its due time, left in the store %s"
                    .formatted(
                        Shown.count(result.refused()),
                        Shown.millis(count.mostEarly().toNanos() / 1e6),
                        Shown.count(result.leftInStore())))
            .row("node says", said(result.nodeCounters()))
            .row(
                "CPU per message",
                Shown.decimal(cost.systemMicros()) + " µs",
                "node %s, broker %s, Postgres %s; besides, the load %s; %s cores busy"
                    .formatted(
                        Shown.decimal(cost.nodeMicros()),
                        Shown.decimal(cost.brokerMicros()),
                        Shown.decimal(cost.postgresMicros()),
                        Shown.decimal(cost.loadMicros()),
                        Shown.decimal(cost.coresBusy())))
            .row(
                "log per message",
                Shown.count(cost.walBytes()) + " bytes",
                "%s commits/s, %s log flushes/s, %s page images per message"
                    .formatted(
                        Shown.count(cost.commitsPerSecond()),
                        Shown.count(cost.walSyncsPerSecond()),
                        Shown.decimal(cost.walFullPageImages())))
            .row(
                "table and indexes",
                Shown.mebibytes(cost.tableBytesAfter()),
                "%s when the measured part began; %s dead rows, %d checkpoints, %d autovacuums"
                    .formatted(
                        Shown.mebibytes(cost.tableBytesBefore()),
                        Shown.count(cost.deadRowsAfter()),
                        cost.checkpoints(),
                        cost.autovacuums()));
    for (GcLog.Pauses pauses : result.pauses()) {
      table.row(
          "node's pauses",
          "%d collections".formatted(pauses.collections()),
          "%d pauses of %s in all, p99.9 %s, max %s; %d waits for memory, max %s"
              .formatted(
                  pauses.pauses(),
                  Shown.millis(pauses.pauseTotalMillis()),
                  Shown.millis(pauses.pauseP999Millis()),
                  Shown.millis(pauses.pauseMaxMillis()),
                  pauses.stalls(),
                  Shown.millis(pauses.stallMaxMillis())));
    }
    return table.row("verdict", verdict(result)).toString();
  }

  static String said(Map<String, Double> counters) {
    List<String> parts = new ArrayList<>();
    counters.forEach((name, value) -> parts.add(name + " " + Shown.count(value)));
    return String.join(", ", parts);
  }

  static String verdict(DelayResult result) {
    if (result.isVoid()) {
      return "VOID: accepted messages are missing or damaged, so the figures above mean nothing"
          + (result.missing().named().isEmpty()
              ? ""
              : "; missing for example " + result.missing().named());
    }
    List<String> faults = result.faults();
    return faults.isEmpty() ? "clean" : "NOT CLEAN: " + String.join(", ", faults);
  }

  static Map<String, Object> data(DelayResult result) {
    DelaySettings settings = result.settings();
    Cost cost = result.cost();
    Map<String, Object> data = new LinkedHashMap<>();
    data.put("rateAsked", settings.perSecond());
    data.put("delayMinMillis", settings.delayMin().toMillis());
    data.put("delayMaxMillis", settings.delayMax().toMillis());
    data.put("warmupSeconds", seconds(settings.warmup()));
    data.put("durationSeconds", seconds(settings.duration()));
    data.put("valueBytes", settings.valueBytes());
    data.put("partitions", settings.partitions());
    data.put("nodes", settings.nodes());
    data.put("backlog", settings.backlog());
    data.put("sent", result.sent());
    data.put("refused", result.refused());
    data.put("generatorLagMillis", result.generatorLag().toMillis());
    data.put("acceptedPerSecond", result.acceptedPerSecond());
    data.put("firedPerSecond", result.firedPerSecond());
    data.put("lateness", lateness(result.lateness()));
    data.put("hiccup", lateness(result.hiccup()));
    data.put("p999LessHiccup", result.lateness().p999() - result.hiccup().p999());
    data.put("lost", result.missing().lost());
    data.put("duplicated", result.count().duplicates());
    data.put("early", result.count().early());
    data.put("mostEarlyMillis", result.count().mostEarly().toNanos() / 1e6);
    data.put("damaged", result.count().damaged());
    data.put("leftInStore", result.leftInStore());
    data.put("nodeCounters", result.nodeCounters());
    data.put("cost", cost(cost));
    data.put("pauses", result.pauses().stream().map(DelayReport::pauses).toList());
    data.put("tableKiB", result.tableBytes().stream().map(bytes -> bytes / BYTES_PER_KIB).toList());
    data.put("verdict", verdict(result));
    data.put(
        "secondP50P99P999",
        result.perSecond().stream()
            .map(s ->
                List.of(s.second(), s.lateness().p50(), s.lateness().p99(), s.lateness().p999()))
            .toList());
    return data;
  }

  private static double seconds(Duration duration) {
    return duration.toMillis() / 1e3;
  }

  private static Map<String, Object> lateness(Lateness lateness) {
    Map<String, Object> data = new LinkedHashMap<>();
    data.put("count", lateness.count());
    data.put("p50", lateness.p50());
    data.put("p90", lateness.p90());
    data.put("p99", lateness.p99());
    data.put("p999", lateness.p999());
    data.put("max", lateness.max());
    data.put("mean", lateness.mean());
    return data;
  }

  private static Map<String, Object> cost(Cost cost) {
    Map<String, Object> data = new LinkedHashMap<>();
    data.put("cpuMicrosPerMessage", cost.systemMicros());
    data.put("nodeMicros", cost.nodeMicros());
    data.put("brokerMicros", cost.brokerMicros());
    data.put("postgresMicros", cost.postgresMicros());
    data.put("loadMicros", cost.loadMicros());
    data.put("coresBusy", cost.coresBusy());
    data.put("walBytesPerMessage", cost.walBytes());
    data.put("pageImagesPerMessage", cost.walFullPageImages());
    data.put("walSyncsPerSecond", cost.walSyncsPerSecond());
    data.put("commitsPerSecond", cost.commitsPerSecond());
    data.put("checkpoints", cost.checkpoints());
    data.put("autovacuums", cost.autovacuums());
    data.put("tableBytesBefore", cost.tableBytesBefore());
    data.put("tableBytesAfter", cost.tableBytesAfter());
    data.put("deadRowsAfter", cost.deadRowsAfter());
    return data;
  }

  private static Map<String, Object> pauses(GcLog.Pauses pauses) {
    Map<String, Object> data = new LinkedHashMap<>();
    data.put("collections", pauses.collections());
    data.put("pauses", pauses.pauses());
    data.put("totalMillis", pauses.pauseTotalMillis());
    data.put("p999Millis", pauses.pauseP999Millis());
    data.put("maxMillis", pauses.pauseMaxMillis());
    data.put("stalls", pauses.stalls());
    data.put("stallMaxMillis", pauses.stallMaxMillis());
    return data;
  }

  /** The whole of what was observed, without a warm-up. */
  static String plotOf(String title, List<Ledger.Second> seconds) {
    return LatenessPlot.svg(title, LatenessPlot.points(seconds), List.of(), 0);
  }

  static String plot(DelayResult result, double limitMillis) {
    DelaySettings settings = result.settings();
    int warmup = (int) settings.warmup().toSeconds();
    int end = (int) settings.warmup().plus(settings.duration()).toSeconds();
    return LatenessPlot.svg(
        "Lateness at %s msg/s, delays %s to %s"
            .formatted(
                Shown.count(settings.perSecond()),
                Shown.duration(settings.delayMin()),
                Shown.duration(settings.delayMax())),
        LatenessPlot.points(result.perSecond()),
        warmup == 0
            ? List.of()
            : List.of(
                new LatenessPlot.Band(0, warmup, "warm-up"),
                new LatenessPlot.Band(end, Integer.MAX_VALUE, "drain")),
        limitMillis);
  }
}
