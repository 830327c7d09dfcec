package io.kairos.bench.delay;

import io.kairos.bench.measure.StoreFigures;
import io.kairos.bench.report.OutputOptions;
import io.kairos.bench.report.Setup;
import io.kairos.bench.report.Shown;
import io.kairos.bench.report.Table;
import io.kairos.bench.rig.NodeSettings;
import io.kairos.bench.rig.PlaceOptions;
import io.kairos.bench.rig.Rig;
import io.kairos.bench.rig.RouteTopics;
import io.kairos.bench.rig.Workplace;
import io.kairos.bench.store.RawLoop;
import io.kairos.cli.DurationWord;
import java.io.PrintStream;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code bench delay}: how many messages a second come out on time. Runs on the main thread. */
@Command(
    name = "delay",
    mixinStandardHelpOptions = true,
    description = {
      "Sends delayed messages by a fixed schedule and observes how punctual they come out.",
      "Exit code 0: the verdict is clean (nothing lost, duplicated or early, no takeover or suspicion, the rate kept,",
      "nothing left in the store); 1: not clean; 3: void, something was lost. Of several runs the worst counts."
    })
public final class DelayCommand implements Callable<Integer> {
  private static final int NOT_CLEAN = 1;
  private static final int VOID = 3;
  private static final Duration RAW_WARMUP = Duration.ofSeconds(10);

  @Option(
      names = "--rate",
      defaultValue = "1000",
      description = "Messages per second (default ${DEFAULT-VALUE}).")
  double rate;

  @Option(
      names = "--delay-min",
      defaultValue = "3s",
      converter = DurationWord.class,
      description = "Shortest delay (default ${DEFAULT-VALUE}).")
  Duration delayMin = Duration.ZERO;

  @Option(
      names = "--delay-max",
      defaultValue = "10s",
      converter = DurationWord.class,
      description = "Longest delay (default ${DEFAULT-VALUE}).")
  Duration delayMax = Duration.ZERO;

  @Option(
      names = "--duration",
      defaultValue = "1m",
      converter = DurationWord.class,
      description = "Measured part; published figures use 10m (default ${DEFAULT-VALUE}).")
  Duration duration = Duration.ZERO;

  @Option(
      names = "--warmup",
      defaultValue = "1m",
      converter = DurationWord.class,
      description = "Load before the measured part (default ${DEFAULT-VALUE}).")
  Duration warmup = Duration.ZERO;

  @Option(
      names = "--nodes",
      defaultValue = "1",
      description = "Nodes that share the work (default ${DEFAULT-VALUE}).")
  int nodes;

  @Option(
      names = "--backlog",
      defaultValue = "0",
      description =
          "Messages that wait far in the future all the while (default ${DEFAULT-VALUE}).")
  long backlog;

  @Option(
      names = "--search",
      description =
          "First find the highest rate that keeps p99.9 within the limit, beginning at --rate.")
  boolean search;

  @Option(
      names = "--limit",
      defaultValue = "500ms",
      converter = DurationWord.class,
      description = "The limit of p99.9 lateness (default ${DEFAULT-VALUE}).")
  Duration limit = Duration.ZERO;

  @Option(
      names = "--raw",
      defaultValue = "0s",
      converter = DurationWord.class,
      description =
          "Before the nodes start, measure a raw loop of batched insert and delete on the same Postgres for this long"
              + " and show the ratio (default ${DEFAULT-VALUE}, which is not at all).")
  Duration raw = Duration.ZERO;

  @Mixin LoadOptions load = new LoadOptions();
  @Mixin PlaceOptions place = new PlaceOptions();
  @Mixin OutputOptions output = new OutputOptions();

  private final PrintStream out = System.out;
  private final Progress progress = new Progress(System.err);

  @Override
  public Integer call() throws SQLException {
    List<NodeSettings> variants = load.nodes();
    DelaySettings settings =
        new DelaySettings(
            rate,
            delayMin,
            delayMax,
            warmup,
            duration,
            load.valueBytes,
            load.partitions,
            nodes,
            backlog,
            variants.getFirst());
    double limitMillis = limit.toNanos() / 1e6;
    try (Workplace workplace = place.workplace();
        Rig rig = Rig.start(workplace, place.server())) {
      Optional<RawLoop.Result> floor = raw(rig);
      RouteTopics topics = rig.newRoute(settings.partitions());
      startNodes(rig, topics, settings.node());
      if (backlog > 0) {
        Backlog.store(rig, topics, backlog, settings.valueBytes(), progress);
      }
      Map<String, Object> setup = setup(rig, settings.node());
      DelayRun run = new DelayRun(rig, topics, progress);
      List<DelayResult> probes = List.of();
      if (search) {
        RateSearch rates = new RateSearch(run, settings, limitMillis, progress);
        double highest = rates.highest();
        probes = rates.probes();
        if (highest == 0) {
          out.println("No rate keeps p99.9 within " + Shown.duration(limit) + ".");
          return NOT_CLEAN;
        }
        settings = settings.at(highest, warmup, duration);
      }
      List<DelayResult> results = new ArrayList<>();
      for (NodeSettings variant : variants) {
        if (!results.isEmpty()) {
          startNodes(rig, topics, variant);
        }
        results.add(run.run(settings.on(variant)));
        rig.stopNodes();
      }
      return show(setup, floor, probes, results, limitMillis);
    }
  }

  private void startNodes(Rig rig, RouteTopics topics, NodeSettings settings) {
    for (int i = 0; i < nodes; i++) {
      rig.startNode(topics, settings);
    }
  }

  private Optional<RawLoop.Result> raw(Rig rig) throws SQLException {
    if (raw.isZero()) {
      return Optional.empty();
    }
    rig.migrate();
    RawLoop.Result result =
        new RawLoop(RawLoop.Settings.standard(load.valueBytes), rig::connect, rig.postgres().pid())
            .run(RAW_WARMUP, raw);
    progress.say("raw insert + delete: %s msg/s".formatted(Shown.count(result.perSecond())));
    return Optional.of(result);
  }

  private int show(
      Map<String, Object> setup,
      Optional<RawLoop.Result> floor,
      List<DelayResult> probes,
      List<DelayResult> results,
      double limitMillis) {
    DelayResult result = results.getFirst();
    Table ground = new Table();
    setup.forEach(ground::row);
    out.println(ground);
    if (!probes.isEmpty()) {
      Table table = new Table().row("probe", "fired/s", "p50", "p99", "p99.9", "CPU µs", "verdict");
      for (DelayResult probe : probes) {
        table.row(
            Shown.count(probe.settings().perSecond()),
            Shown.count(probe.firedPerSecond()),
            Shown.decimal(probe.lateness().p50()),
            Shown.decimal(probe.lateness().p99()),
            Shown.decimal(probe.lateness().p999()),
            Shown.decimal(probe.cost().systemMicros()),
            DelayReport.verdict(probe));
      }
      out.println(table);
    }
    results.forEach(each -> out.println(DelayReport.table(each)));
    if (results.size() > 1) {
      out.println(SideBySide.table(load.advances, results));
    }
    floor.ifPresent(loop ->
        out.println(
            "  raw insert + delete %s msg/s at %s µs of Postgres; ratio %s%n"
                .formatted(
                    Shown.count(loop.perSecond()),
                    Shown.decimal(loop.postgresMicros()),
                    Shown.decimal(result.firedPerSecond() / loop.perSecond()))));
    output.write(
        () -> data(setup, floor, probes, results), () -> DelayReport.plot(result, limitMillis));
    return exitCode(results);
  }

  static int exitCode(List<DelayResult> results) {
    if (results.stream().anyMatch(DelayResult::isVoid)) {
      return VOID;
    }
    return results.stream().allMatch(DelayResult::isClean) ? 0 : NOT_CLEAN;
  }

  private Map<String, Object> data(
      Map<String, Object> setup,
      Optional<RawLoop.Result> floor,
      List<DelayResult> probes,
      List<DelayResult> results) {
    DelayResult result = results.getFirst();
    Map<String, Object> data = new LinkedHashMap<>();
    data.put("setup", setup);
    floor.ifPresent(loop -> {
      data.put("rawPerSecond", loop.perSecond());
      data.put("rawPostgresMicros", loop.postgresMicros());
      data.put("ratioToRaw", result.firedPerSecond() / loop.perSecond());
    });
    data.put("result", DelayReport.data(result));
    if (results.size() > 1) {
      Map<String, Object> byAdvance = new LinkedHashMap<>();
      for (int i = 0; i < results.size(); i++) {
        byAdvance.put(load.advances.get(i), DelayReport.data(results.get(i)));
      }
      data.put("resultByAdvance", byAdvance);
    }
    List<Map<String, Object>> all = new ArrayList<>();
    probes.forEach(probe -> all.add(DelayReport.data(probe)));
    data.put("probes", all);
    return data;
  }

  static Map<String, Object> setup(Rig rig, NodeSettings node) throws SQLException {
    try (Connection connection = rig.connect()) {
      return Setup.facts(
          StoreFigures.settings(connection),
          connection.getMetaData().getDatabaseProductVersion(),
          node.toString());
    }
  }
}
