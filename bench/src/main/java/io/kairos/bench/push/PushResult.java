package io.kairos.bench.push;

import io.kairos.bench.delay.Cost;
import io.kairos.bench.observe.Lateness;
import io.kairos.bench.observe.Ledger;
import io.kairos.bench.report.LatenessPlot;
import io.kairos.bench.report.Shown;
import io.kairos.bench.report.Table;
import io.kairos.bench.task.TaskStoreCount;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a run showed.
 *
 * @param tried tasks of calls that were made
 * @param uncertain of these: of calls that failed
 * @param lateness from the due time to the request's headers at the receiver
 * @param most requests under way at once
 * @param peakResidentBytes of the node
 */
record PushResult(
    PushOptions options,
    long tried,
    long uncertain,
    Duration worstLag,
    double acceptedPerSecond,
    double pushedPerSecond,
    Lateness lateness,
    Lateness hiccup,
    Ledger.Count count,
    Ledger.Missing missing,
    int most,
    TaskStoreCount store,
    Cost cost,
    long peakResidentBytes,
    List<Ledger.Second> perSecond) {
  private static final int NOT_CLEAN = 1;
  private static final int VOID = 3;

  int exitCode() {
    if (isVoid()) {
      return VOID;
    }
    return isClean() ? 0 : NOT_CLEAN;
  }

  /** Repeats are what an endpoint that goes away makes; without that there must be none. */
  private boolean isVoid() {
    return missing.lost() > 0 || (count.duplicates() > 0 && !options.loseEndpoint);
  }

  private boolean isClean() {
    return !isVoid()
        && count.early() == 0
        && count.damaged() == 0
        && uncertain == 0
        && store.isClean();
  }

  Table table() {
    return new Table()
        .row(
            "load",
            options.rate == 0
                ? "as many as are pushed"
                : Shown.count(options.rate) + " tasks/s asked",
            "batches of %d, due %s after the call, %d endpoint(s) that answer after %s, at most %s under way"
                .formatted(
                    options.batch,
                    Shown.duration(options.delay),
                    options.endpoints,
                    Shown.duration(options.hold),
                    Shown.count(options.inFlight)))
        .row(
            "measured",
            Shown.duration(options.duration),
            "after %s of warm-up; load at worst %s behind its schedule"
                .formatted(Shown.duration(options.warmup), Shown.duration(worstLag)))
        .row("accepted", Shown.count(acceptedPerSecond) + " tasks/s", "durable")
        .row("pushed", Shown.count(pushedPerSecond) + " tasks/s", "claimed, sent and received")
        .row("due to arrival", Shown.percentiles(lateness))
        .row("host hiccups", Shown.percentiles(hiccup))
        .row("under way", Shown.count(most) + " at most", "requests at once, HTTP/1.1")
        .row(
            "accounts",
            "%s tried, %s received: lost %s, pushed again %s, early %s, damaged %s, uncertain %s"
                .formatted(
                    Shown.count(tried),
                    Shown.count(count.distinct()),
                    Shown.count(missing.lost()),
                    Shown.count(count.duplicates()),
                    Shown.count(count.early()),
                    Shown.count(count.damaged()),
                    Shown.count(uncertain)))
        .row("store says", store)
        .row(
            "CPU per task",
            Shown.decimal(cost.nodeMicros() + cost.postgresMicros()) + " µs",
            "node %s, Postgres %s; besides, load and receiver %s"
                .formatted(
                    Shown.decimal(cost.nodeMicros()),
                    Shown.decimal(cost.postgresMicros()),
                    Shown.decimal(cost.loadMicros())))
        .row("node's memory", Shown.mebibytes(peakResidentBytes) + " at its peak")
        .row(
            "verdict",
            isVoid() ? "VOID: tasks were lost or pushed twice" : isClean() ? "clean" : "NOT CLEAN");
  }

  Map<String, Object> data() {
    Map<String, Object> data = new LinkedHashMap<>();
    data.put("rateAsked", options.rate);
    data.put("endpoints", options.endpoints);
    data.put("holdMillis", options.hold.toMillis());
    data.put("inFlight", options.inFlight);
    data.put("acceptedPerSecond", acceptedPerSecond);
    data.put("pushedPerSecond", pushedPerSecond);
    data.put("latenessP50", lateness.p50());
    data.put("latenessP99", lateness.p99());
    data.put("latenessP999", lateness.p999());
    data.put("mostUnderWay", most);
    data.put("lost", missing.lost());
    data.put("duplicated", count.duplicates());
    data.put("early", count.early());
    data.put("uncertain", uncertain);
    data.put("unfinished", store.unfinished());
    data.put("endedOtherwise", store.otherwise());
    data.put("nodeMicros", cost.nodeMicros());
    data.put("postgresMicros", cost.postgresMicros());
    data.put("loadMicros", cost.loadMicros());
    data.put("peakResidentBytes", peakResidentBytes);
    return data;
  }

  String plot() {
    return LatenessPlot.svg(
        "From the due time to the request", LatenessPlot.points(perSecond), List.of(), 0);
  }
}
