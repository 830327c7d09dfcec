package io.kairos.bench.task;

import io.kairos.bench.delay.LoadOptions;
import io.kairos.bench.delay.Progress;
import io.kairos.bench.measure.StoreFigures;
import io.kairos.bench.report.OutputOptions;
import io.kairos.bench.report.Setup;
import io.kairos.bench.report.Shown;
import io.kairos.bench.report.Table;
import io.kairos.bench.rig.PlaceOptions;
import io.kairos.bench.rig.Rig;
import io.kairos.bench.rig.RouteTopics;
import io.kairos.bench.rig.Workplace;
import io.kairos.cli.DurationWord;
import java.io.IOException;
import java.io.PrintStream;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code bench tasks}: how many tasks a second are performed. Runs on the main thread. */
@Command(
    name = "tasks",
    mixinStandardHelpOptions = true,
    description = {
      "Schedules tasks over gRPC and has them performed by worker processes, from the schedule call to the acknowledged",
      "result. The workers' own logs are the judge.",
      "Exit code 0: nothing lost, performed twice or early; 1: not clean; 3: void, something was lost."
    })
public final class TaskCommand implements Callable<Integer> {
  @Option(
      names = "--rate",
      defaultValue = "0",
      description =
          "Tasks per second, by a fixed schedule; 0 (the default): as many as are performed, with a bounded number"
              + " under way.")
  double rate;

  @Option(
      names = "--batch",
      defaultValue = "500",
      description = "Tasks in one schedule call (default ${DEFAULT-VALUE}).")
  int batch;

  @Option(
      names = "--outstanding",
      defaultValue = "20000",
      description = "Without a rate: tasks accepted and not yet done (default ${DEFAULT-VALUE}).")
  int outstanding;

  @Option(
      names = "--callers",
      defaultValue = "8",
      description = "Threads that schedule (default ${DEFAULT-VALUE}).")
  int callers;

  @Option(
      names = "--accept-only",
      description = "Tasks that are due in a day, no worker: how fast schedule calls are answered.")
  boolean acceptOnly;

  @Option(
      names = "--waiting",
      defaultValue = "0",
      description =
          "Tasks of the same handler that wait far in the future all the while (default ${DEFAULT-VALUE}).")
  long waiting;

  @Option(
      names = "--finished",
      defaultValue = "0",
      description = "Tasks that ended before (default ${DEFAULT-VALUE}).")
  long finished;

  @Option(
      names = "--peer",
      description =
          "Afterwards the same load on db-scheduler in this process, on the same Postgres.")
  boolean peer;

  @Option(
      names = "--delay-min",
      defaultValue = "0s",
      converter = DurationWord.class,
      description = "Shortest delay (default ${DEFAULT-VALUE}).")
  Duration delayMin = Duration.ZERO;

  @Option(
      names = "--delay-max",
      defaultValue = "0s",
      converter = DurationWord.class,
      description = "Longest delay (default ${DEFAULT-VALUE}).")
  Duration delayMax = Duration.ZERO;

  @Option(
      names = "--warmup",
      defaultValue = "30s",
      converter = DurationWord.class,
      description = "Load before the measured part (default ${DEFAULT-VALUE}).")
  Duration warmup = Duration.ZERO;

  @Option(
      names = "--duration",
      defaultValue = "1m",
      converter = DurationWord.class,
      description = "Measured part; published figures use 5m (default ${DEFAULT-VALUE}).")
  Duration duration = Duration.ZERO;

  @Option(
      names = "--nodes",
      defaultValue = "1",
      description = "Nodes that share the work (default ${DEFAULT-VALUE}).")
  int nodes;

  @Option(
      names = "--workers",
      defaultValue = "1",
      description = "Worker processes (default ${DEFAULT-VALUE}).")
  int workers;

  @Option(
      names = "--executors",
      defaultValue = "4",
      description = "Threads that perform tasks in each (default ${DEFAULT-VALUE}).")
  int executors;

  @Mixin LoadOptions load = new LoadOptions();
  @Mixin PlaceOptions place = new PlaceOptions();
  @Mixin OutputOptions output = new OutputOptions();

  private final PrintStream out = System.out;
  private final Progress progress = new Progress(System.err);

  @Override
  public Integer call() throws SQLException, IOException, InterruptedException {
    TaskRun.Settings settings =
        new TaskRun.Settings(
            rate,
            batch,
            outstanding,
            delayMin,
            delayMax,
            warmup,
            duration,
            load.valueBytes,
            callers,
            workers,
            executors);
    try (Workplace workplace = place.workplace();
        Rig rig = Rig.start(workplace, place.server())) {
      RouteTopics topics = rig.newRoute(load.partitions);
      for (int i = 0; i < nodes; i++) {
        rig.startNode(topics, load.node());
      }
      try (Connection connection = rig.connect()) {
        Backdrop.paint(connection, waiting, finished, load.valueBytes, progress);
      }
      Map<String, Object> setup = setup(rig);
      Table ground = new Table();
      setup.forEach(ground::row);
      if (acceptOnly) {
        AcceptRun.Result result = new AcceptRun(rig, progress).run(settings);
        out.println(ground);
        out.println(result.table());
        output.write(() -> Map.of("setup", setup, "result", result.data()), () -> "");
        return result.isVoid() ? TaskResult.VOID : 0;
      }
      TaskResult result = new TaskRun(rig, workplace, progress).run(settings);
      out.println(ground);
      out.println(result.table());
      output.write(() -> Map.of("setup", setup, "result", result.data()), result::plot);
      if (peer) {
        rig.stopNodes();
        DbSchedulerRun.Result other =
            new DbSchedulerRun(rig, progress).run(settings, workplace.resolve("executions-peer"));
        out.println(other.table().row("ratio", against(result, other)));
      }
      return result.exitCode();
    }
  }

  private static String against(TaskResult ours, DbSchedulerRun.Result other) {
    return "%s times as many tasks/s; due to start p50 %s, p99 %s times as long there"
        .formatted(
            Shown.decimal(ours.endedPerSecond() / other.endedPerSecond()),
            Shown.decimal(other.lateness().p50() / ours.lateness().p50()),
            Shown.decimal(other.lateness().p99() / ours.lateness().p99()));
  }

  private Map<String, Object> setup(Rig rig) throws SQLException {
    try (Connection connection = rig.connect()) {
      return Setup.facts(
          StoreFigures.settings(connection),
          connection.getMetaData().getDatabaseProductVersion(),
          load.node() + ", " + nodes + " node(s)");
    }
  }
}
