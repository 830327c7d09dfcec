package io.kairos.bench.task;

import io.kairos.bench.report.FigureList;
import io.kairos.bench.report.FigureList.Unit;
import io.kairos.bench.rig.BenchRig;
import io.kairos.bench.rig.RigCommand;
import io.kairos.bench.trial.TrialReport;
import java.sql.SQLException;
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
      "Exit code 0: clean; 1: not clean, such as early; 3: void, something was lost, performed twice or out of order."
    })
public final class TaskCommand extends RigCommand {
  @Option(
      names = "--peer",
      description =
          "Afterwards the same load on db-scheduler in this process, on the same Postgres.")
  boolean peer;

  @Option(names = "--nodes", defaultValue = "1", description = "Nodes that share the work.")
  int nodes;

  @Option(names = "--workers", defaultValue = "1", description = "Worker processes.")
  int workers;

  @Option(
      names = "--executors",
      defaultValue = "4",
      description = "Threads that perform tasks in each.")
  int executors;

  @Mixin TaskLoadOptions tasks = new TaskLoadOptions();

  @Override
  protected int run() throws SQLException, InterruptedException {
    // Tasks of one call are due at the same time, so that those of one key would have no order.
    require(tasks.keys == 0 || tasks.keys >= tasks.batch, "--keys must be at least --batch");
    return onRig("result", this::tasks);
  }

  private TrialReport tasks(BenchRig rig) throws SQLException, InterruptedException {
    rig.startNodes(nodes, rig.newRoute(node.partitions), node.settings());
    TrialReport ours = trial(new WorkerTrial(rig, tasks, node.valueBytes, workers, executors));
    if (peer) {
      rig.stopNodes();
      TrialReport other = trial(new DbSchedulerTrial(rig, tasks, node.valueBytes));
      show("peer", other.figures());
      show(
          "comparison",
          new FigureList()
              .row("against the peer")
              .add("ratio", "tasks/s", Unit.RATIO, ratio("perSecond", ours, other))
              .add(
                  "latenessP99Ratio",
                  "p99 of lateness",
                  Unit.RATIO,
                  ratio("lateness.p99", ours, other)));
    }
    return ours;
  }

  private static double ratio(String key, TrialReport ours, TrialReport other) {
    return ours.figures().number(key) / other.figures().number(key);
  }
}
