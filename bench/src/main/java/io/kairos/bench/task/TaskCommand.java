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
import java.io.IOException;
import java.io.PrintStream;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code bench tasks}: how many tasks a second are performed. Runs on the main thread. */
@Command(
    name = "tasks",
    mixinStandardHelpOptions = true,
    description = {
      "Schedules tasks over gRPC and has them performed by worker processes, from the schedule call to the acknowledged",
      "result. The workers' own logs are the judge. With a change the same load runs without it, with it, and without it",
      "again where it can be undone; so the warm-up comes three times.",
      "Exit code 0: clean; 1: not clean, such as early; 3: void, something was lost, performed twice or out of order."
    })
public final class TaskCommand implements Callable<Integer> {
  @Spec CommandSpec spec = CommandSpec.create();

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
      names = "--nodes",
      defaultValue = "1",
      description = "Nodes that share the work (default ${DEFAULT-VALUE}).")
  int nodes;

  @ArgGroup(exclusive = true)
  @Nullable ChangeOptions change;

  @Mixin TaskLoadOptions tasks = new TaskLoadOptions();
  @Mixin LoadOptions load = new LoadOptions();
  @Mixin PlaceOptions place = new PlaceOptions();
  @Mixin OutputOptions output = new OutputOptions();

  private final PrintStream out = System.out;
  private final Progress progress = new Progress(System.err);

  @Override
  public Integer call() throws SQLException, IOException, InterruptedException {
    TaskRun.Settings settings = tasks.settings(load.valueBytes);
    if (change != null && settings.endsByCount()) {
      throw new ParameterException(
          spec.commandLine(), "a change needs a load that ends by time: leave --per-key out");
    }
    try (Workplace workplace = place.workplace();
        Rig rig = Rig.start(workplace, place.server())) {
      RouteTopics topics = rig.newRoute(load.partitions);
      for (int i = 0; i < nodes; i++) {
        rig.startNode(topics, load.node());
      }
      try (Connection connection = rig.connect()) {
        Backdrop.longUsed(waiting, finished, load.valueBytes).paint(connection, progress);
      }
      Map<String, Object> setup = setup(rig);
      Table ground = new Table();
      setup.forEach(ground::row);
      out.println(ground);
      if (acceptOnly) {
        AcceptRun.Result result = new AcceptRun(rig, progress).run(settings);
        out.println(result.table());
        output.write(() -> Map.of("setup", setup, "result", result.data()), () -> "");
        return result.isVoid() ? TaskResult.VOID : 0;
      }
      TaskResult result = run(rig, workplace, settings);
      if (change != null) {
        Comparison both =
            compare(result, change.chosen(rig, topics, load, progress), rig, workplace, settings);
        out.println(both.table());
        output.write(() -> Map.of("setup", setup, "comparison", both.data()), both.with()::plot);
        return both.exitCode();
      }
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

  private TaskResult run(Rig rig, Workplace workplace, TaskRun.Settings settings)
      throws SQLException, IOException, InterruptedException {
    TaskResult result = new TaskRun(rig, workplace, progress).run(settings);
    out.println(result.table());
    return result;
  }

  private Comparison compare(
      TaskResult before, Change chosen, Rig rig, Workplace workplace, TaskRun.Settings settings)
      throws SQLException, IOException, InterruptedException {
    List<TaskResult> without = new ArrayList<>(List.of(before));
    chosen.make();
    out.println("with " + chosen.about());
    TaskResult with = run(rig, workplace, settings);
    if (chosen.undo()) {
      out.println("without it again");
      without.add(run(rig, workplace, settings));
    }
    return new Comparison(chosen.about(), without, with);
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
