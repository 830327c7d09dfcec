package io.kairos.bench.delay;

import io.kairos.bench.load.Payload;
import io.kairos.bench.load.WallClock;
import io.kairos.bench.measure.GcLog;
import io.kairos.bench.measure.ProcessMemory;
import io.kairos.bench.measure.StoredMessages;
import io.kairos.bench.observe.ArrivalLog;
import io.kairos.bench.observe.Ledger;
import io.kairos.bench.observe.Observer;
import io.kairos.bench.report.OutputOptions;
import io.kairos.bench.report.Shown;
import io.kairos.bench.report.Table;
import io.kairos.bench.rig.NodeProcess;
import io.kairos.bench.rig.NodeSettings;
import io.kairos.bench.rig.PlaceOptions;
import io.kairos.bench.rig.Rig;
import io.kairos.bench.rig.RouteTopics;
import io.kairos.bench.rig.Workplace;
import io.kairos.cli.DurationWord;
import java.io.PrintStream;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code bench burst}: very many messages due in the same second, and the two halves of the work
 * apart (CH-45). The input topic is filled while no node runs; then a node takes everything in,
 * which is ingest alone; then all come due and nothing else happens, which is ready and fire alone.
 */
@Command(
    name = "burst",
    mixinStandardHelpOptions = true,
    description = {
      "Stores messages that all come due in one second, far enough ahead that all of them wait, and drains them.",
      "Shows ingest alone and ready + fire alone. Exit code 0: all came, once, none early, in due order."
    })
public final class BurstCommand implements Callable<Integer> {
  private static final Duration QUIET = Duration.ofSeconds(20);
  private static final Duration LINGER = Duration.ofSeconds(7);

  /** Shipped; what is due later than this from now is stored as waiting whatever the memory. */
  private static final Duration DEFAULT_HORIZON = Duration.ofSeconds(30);

  /** Out of order by more than this share of the whole is not due order. */
  private static final double ORDER_KEPT = 0.02;

  @Option(
      names = "--count",
      defaultValue = "1000000",
      description = "Messages (default ${DEFAULT-VALUE}).")
  long count;

  @Option(
      names = "--within",
      defaultValue = "1s",
      converter = DurationWord.class,
      description = "All are due within this (default ${DEFAULT-VALUE}).")
  Duration within = Duration.ZERO;

  @Option(
      names = "--lead",
      converter = DurationWord.class,
      description =
          "From now to the due time; must leave time to store everything beyond the"
              + " horizon (default: enough for 8,000 messages a second).")
  @Nullable Duration lead;

  @Option(
      names = "--at-most",
      defaultValue = "90s",
      converter = DurationWord.class,
      description = "Longest drain that passes (default ${DEFAULT-VALUE}).")
  Duration atMost = Duration.ZERO;

  @Mixin LoadOptions load = new LoadOptions();
  @Mixin PlaceOptions place = new PlaceOptions();
  @Mixin OutputOptions output = new OutputOptions();

  private final PrintStream out = System.out;
  private final Progress progress = new Progress(System.err);

  @Override
  public Integer call() throws SQLException {
    NodeSettings settings = load.node();
    if (settings.heap().isEmpty()) {
      settings = settings.withHeap("512m");
    }
    try (Workplace workplace = place.workplace();
        Rig rig = Rig.start(workplace, place.server());
        Connection connection = rig.connect()) {
      RouteTopics topics = rig.newRoute(load.partitions);
      Duration ahead = lead == null ? DEFAULT_HORIZON.plus(Flood.timeToStore(count)) : lead;
      Flood flood =
          new Flood(
              new Payload(new SplittableRandom().nextLong() >>> 1, load.valueBytes),
              count,
              WallClock.micros() + ahead.toNanos() / 1_000,
              within);
      ArrivalLog arrivals = new ArrivalLog();
      Ledger ledger = Ledger.ofEverything(flood.dueMicros());
      try (Observer observer =
          Observer.start(
              rig.bootstrapServers(), topics.output(), flood.payload(), ledger, arrivals::add)) {
        Set<Long> refused = flood.fill(rig, topics);
        progress.say(Shown.count(count) + " messages are in the input topic");
        NodeProcess node = rig.startNode(topics, settings);
        StoredMessages stored = new StoredMessages(connection, topics.route());
        double ingestPerSecond = flood.ingest(stored);
        boolean allWaited =
            WallClock.micros() + DEFAULT_HORIZON.toNanos() / 1_000 < flood.dueMicros();
        progress.say(
            "all stored, %s a second; due in %d s"
                .formatted(
                    Shown.count(ingestPerSecond),
                    (flood.dueMicros() - WallClock.micros()) / 1_000_000));
        observer.awaitDistinct(count, flood.dueMicros(), QUIET);
        observer.linger(LINGER);
        return show(
            new Outcome(
                ingestPerSecond,
                allWaited,
                ledger.count(),
                ledger.missing(count, refused),
                drain(ledger, flood.dueMicros()),
                arrivals.disorder(),
                ProcessMemory.peakResident(node.pid()),
                GcLog.read(node.gcLog(), Instant.EPOCH, Instant.now()),
                NodeCounters.sum(rig.nodes())),
            DelayCommand.setup(rig, settings),
            () -> DelayReport.plotOf("Burst of " + Shown.count(count), ledger.perSecond()));
      }
    }
  }

  private record Outcome(
      double ingestPerSecond,
      boolean allWaited,
      Ledger.Count arrived,
      Ledger.Missing missing,
      Duration drain,
      ArrivalLog.Disorder disorder,
      long peakResidentBytes,
      GcLog.Pauses pauses,
      Map<String, Double> counters) {}

  private static Duration drain(Ledger ledger, long dueMicros) {
    return Duration.ofNanos((ledger.count().lastFirstAtMicros() - dueMicros) * 1_000);
  }

  private int show(Outcome outcome, Map<String, Object> setup, Supplier<String> plot) {
    boolean inOrder = outcome.disorder.p999() <= count * ORDER_KEPT;
    boolean inTime = outcome.drain.compareTo(atMost) <= 0;
    boolean clean =
        outcome.missing.lost() == 0
            && outcome.arrived.duplicates() == 0
            && outcome.arrived.early() == 0
            && outcome.arrived.damaged() == 0;
    double firedPerSecond = count / (outcome.drain.toNanos() / 1e9);
    Table ground = new Table();
    setup.forEach(ground::row);
    out.println(ground);
    out.println(
        new Table()
            .row(
                "burst",
                Shown.count(count) + " messages",
                "all due within " + Shown.duration(within))
            .row(
                "ingest alone",
                Shown.count(outcome.ingestPerSecond) + " msg/s",
                "from a full input topic; "
                    + (outcome.allWaited
                        ? "all were stored as waiting, as if an hour ahead"
                        : "NOT all before the horizon opened: use a longer --lead"))
            .row("ready + fire alone", Shown.count(firedPerSecond) + " msg/s", "none coming in")
            .row("drained in", Shown.duration(Duration.ofMillis(outcome.drain.toMillis())))
            .row(
                "out of due order by",
                "p50 %s, p99.9 %s, max %s places"
                    .formatted(
                        Shown.count(outcome.disorder.p50()),
                        Shown.count(outcome.disorder.p999()),
                        Shown.count(outcome.disorder.max())))
            .row(
                "accounts",
                "%s arrived: lost %s, duplicated %s, early %s, damaged %s"
                    .formatted(
                        Shown.count(outcome.arrived.distinct()),
                        Shown.count(outcome.missing.lost()),
                        Shown.count(outcome.arrived.duplicates()),
                        Shown.count(outcome.arrived.early()),
                        Shown.count(outcome.arrived.damaged())))
            .row("node says", DelayReport.said(outcome.counters))
            .row(
                "node's memory",
                Shown.mebibytes(outcome.peakResidentBytes) + " at its peak",
                "%d collections, longest pause %s, %d waits for memory, longest %s"
                    .formatted(
                        outcome.pauses.collections(),
                        Shown.millis(outcome.pauses.pauseMaxMillis()),
                        outcome.pauses.stalls(),
                        Shown.millis(outcome.pauses.stallMaxMillis())))
            .row(
                "verdict",
                (clean && inOrder && inTime ? "PASS" : "FAIL")
                    + (clean ? "" : ", not clean")
                    + (inOrder ? "" : ", not in due order")
                    + (inTime ? "" : ", not within " + Shown.duration(atMost))));
    output.write(() -> data(outcome, setup, firedPerSecond), plot);
    return clean && inOrder && inTime ? 0 : 1;
  }

  private Map<String, Object> data(
      Outcome outcome, Map<String, Object> setup, double firedPerSecond) {
    Map<String, Object> data = new LinkedHashMap<>();
    data.put("setup", setup);
    data.put("count", count);
    data.put("withinMillis", within.toMillis());
    data.put("ingestPerSecond", outcome.ingestPerSecond);
    data.put("allWaited", outcome.allWaited);
    data.put("firedPerSecond", firedPerSecond);
    data.put("drainSeconds", outcome.drain.toMillis() / 1e3);
    data.put("placesOutOfOrderP999", outcome.disorder.p999());
    data.put("placesOutOfOrderMax", outcome.disorder.max());
    data.put("lost", outcome.missing.lost());
    data.put("duplicated", outcome.arrived.duplicates());
    data.put("early", outcome.arrived.early());
    data.put("peakResidentBytes", outcome.peakResidentBytes);
    data.put("nodeCounters", outcome.counters);
    return data;
  }
}
