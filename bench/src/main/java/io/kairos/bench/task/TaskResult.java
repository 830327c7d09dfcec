package io.kairos.bench.task;

import io.kairos.bench.delay.Cost;
import io.kairos.bench.measure.GcLog;
import io.kairos.bench.observe.Lateness;
import io.kairos.bench.observe.Ledger;
import io.kairos.bench.report.LatenessPlot;
import io.kairos.bench.report.Shown;
import io.kairos.bench.report.Table;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a run showed.
 *
 * @param tried tasks of calls that were made
 * @param uncertain of these: of calls that failed
 * @param lateness from the due time to the beginning of the handler
 * @param bystanders that were performed in the measured part: tasks that are there to be in the way
 * @param workerMicros processor time of the workers per task
 */
record TaskResult(
    TaskRun.Settings settings,
    long tried,
    long uncertain,
    Duration worstLag,
    double acceptedPerSecond,
    double endedPerSecond,
    Lateness lateness,
    Lateness hiccup,
    Ledger.Count count,
    Ledger.Missing missing,
    KeyOrder.Count order,
    long bystanders,
    TaskStoreCount store,
    Cost cost,
    double workerMicros,
    List<GcLog.Pauses> pauses,
    List<Ledger.Second> perSecond) {
  private static final int NOT_CLEAN = 1;
  static final int VOID = 3;

  int exitCode() {
    if (isVoid()) {
      return VOID;
    }
    return isClean() ? 0 : NOT_CLEAN;
  }

  private boolean isVoid() {
    return missing.lost() > 0 || count.duplicates() > 0 || !order.isKept();
  }

  private boolean isClean() {
    return !isVoid() && count.early() == 0 && uncertain == 0 && store.isClean();
  }

  Table table() {
    Table table =
        new Table()
            .row(
                "load",
                settings.perSecond() == 0
                    ? "as many as are performed"
                    : Shown.count(settings.perSecond()) + " tasks/s asked",
                "delays %s to %s, payloads of %d bytes, batches of %d, %d worker(s) with %d executors"
                    .formatted(
                        Shown.duration(settings.delayMin()),
                        Shown.duration(settings.delayMax()),
                        settings.payloadBytes(),
                        settings.batch(),
                        settings.workers(),
                        settings.executors()))
            .row(
                "measured",
                settings.endsByCount()
                    ? "until all had ended"
                    : Shown.duration(settings.duration()),
                "after %s of warm-up; load at worst %s behind its schedule"
                    .formatted(Shown.duration(settings.warmup()), Shown.duration(worstLag)))
            .row("accepted", Shown.count(acceptedPerSecond) + " tasks/s", "durable")
            .row(
                "ended",
                Shown.count(endedPerSecond) + " tasks/s",
                "accepted, claimed, performed, result acknowledged; each of the three writes durable")
            .row("start lateness", Shown.percentiles(lateness))
            .row("host hiccups", Shown.percentiles(hiccup))
            .row(
                "accounts",
                "%s tried, %s performed: lost %s, performed again %s, early %s, uncertain %s"
                    .formatted(
                        Shown.count(tried),
                        Shown.count(count.distinct()),
                        Shown.count(missing.lost()),
                        Shown.count(count.duplicates()),
                        Shown.count(count.early()),
                        Shown.count(uncertain)))
            .row("keys", keys())
            .row("store says", store)
            .row(
                "CPU per task",
                Shown.decimal(cost.nodeMicros() + cost.postgresMicros() + workerMicros) + " µs",
                "node %s, Postgres %s, workers %s; besides, broker %s, the load %s"
                    .formatted(
                        Shown.decimal(cost.nodeMicros()),
                        Shown.decimal(cost.postgresMicros()),
                        Shown.decimal(workerMicros),
                        Shown.decimal(cost.brokerMicros()),
                        Shown.decimal(cost.loadMicros())))
            .row(
                "log per task",
                Shown.count(cost.walBytes()) + " bytes",
                "%s commits/s, %s log flushes/s"
                    .formatted(
                        Shown.count(cost.commitsPerSecond()),
                        Shown.count(cost.walSyncsPerSecond())))
            .row(
                "live table",
                Shown.mebibytes(cost.tableBytesAfter()),
                "%s when the measured part began; %s dead rows, %d checkpoints, %d autovacuums"
                    .formatted(
                        Shown.mebibytes(cost.tableBytesBefore()),
                        Shown.count(cost.deadRowsAfter()),
                        cost.checkpoints(),
                        cost.autovacuums()));
    for (GcLog.Pauses pause : pauses) {
      table.row(
          "node's pauses",
          "%d of %s in all, max %s"
              .formatted(
                  pause.pauses(),
                  Shown.millis(pause.pauseTotalMillis()),
                  Shown.millis(pause.pauseMaxMillis())));
    }
    String verdict =
        isVoid()
            ? "VOID: tasks were lost, performed twice or out of order"
            : isClean() ? "clean" : "NOT CLEAN";
    return table.row("verdict", verdict);
  }

  private String keys() {
    return settings.keys().none()
        ? "none"
        : "%s; of %s pairs of neighbours %s out of order, %s overlapping"
            .formatted(
                Shown.count(settings.keys().keys()),
                Shown.count(order.successions()),
                Shown.count(order.disordered()),
                Shown.count(order.overlapping()));
  }

  Map<String, Object> data() {
    Map<String, Object> data = new LinkedHashMap<>();
    data.put("rateAsked", settings.perSecond());
    data.put("batch", settings.batch());
    data.put("workers", settings.workers());
    data.put("executors", settings.executors());
    data.put("acceptedPerSecond", acceptedPerSecond);
    data.put("endedPerSecond", endedPerSecond);
    data.put("latenessP50", lateness.p50());
    data.put("latenessP99", lateness.p99());
    data.put("latenessP999", lateness.p999());
    data.put("lost", missing.lost());
    data.put("duplicated", count.duplicates());
    data.put("early", count.early());
    data.put("keys", settings.keys().keys());
    data.put("tasksPerKey", settings.keys().perKey());
    data.put("successions", order.successions());
    data.put("disordered", order.disordered());
    data.put("overlapping", order.overlapping());
    data.put("bystanders", bystanders);
    data.put("uncertain", uncertain);
    data.put("unfinished", store.unfinished());
    data.put("nodeMicros", cost.nodeMicros());
    data.put("postgresMicros", cost.postgresMicros());
    data.put("workerMicros", workerMicros);
    data.put("loadMicros", cost.loadMicros());
    data.put("walBytes", cost.walBytes());
    return data;
  }

  String plot() {
    return LatenessPlot.svg(
        "Start lateness of tasks", LatenessPlot.points(perSecond), List.of(), 0);
  }
}
