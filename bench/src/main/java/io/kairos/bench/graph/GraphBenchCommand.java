package io.kairos.bench.graph;

import io.kairos.bench.report.FigureList;
import io.kairos.bench.report.RunVerdict;
import io.kairos.bench.rig.BenchRig;
import io.kairos.bench.rig.RigCommand;
import io.kairos.bench.rig.WorkFolder;
import io.kairos.bench.trial.TrialReport;
import java.sql.SQLException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code bench graphs}: measures tasks that wait for tasks. Runs on the main thread. */
@Command(
    name = "graphs",
    mixinStandardHelpOptions = true,
    description = {
      "Schedules tasks that wait for each other and performs them in this process: how soon the"
          + " next step of a chain begins,",
      "against single tasks that are scheduled meanwhile, and how long a task, many that wait for"
          + " it and one that waits for all",
      "of these take, against as many that wait for nobody.",
      "Exit code 0: p50 of a step is at most 10 ms above that of a single task, and the many take"
          + " at most 1.5 times as long;",
      "1: not; 3: void, something was lost, performed twice or began before its predecessors had"
          + " ended."
    })
public final class GraphBenchCommand extends RigCommand {
  @Option(names = "--nodes", defaultValue = "1", description = "Nodes that share the work.")
  int nodes;

  @Option(names = "--steps", defaultValue = "1000", description = "Steps of the chain.")
  int steps;

  @Option(
      names = "--parts",
      defaultValue = "100000",
      description = "Tasks between the first and the last, and as many that wait for nobody.")
  int parts;

  @Option(
      names = "--executors",
      defaultValue = "4",
      description = "Threads of the worker that perform tasks.")
  int executors;

  @Override
  protected BenchRig rig(WorkFolder folder) {
    return BenchRig.withoutBroker(folder, node);
  }

  @Override
  protected int run() throws SQLException, InterruptedException {
    require(nodes >= 1, "--nodes must be at least 1");
    require(steps >= 2, "--steps must be at least 2");
    require(
        parts >= 1 && parts <= FanOutRun.MOST_PARTS,
        "--parts must be 1 to " + FanOutRun.MOST_PARTS + ", the most edges of one call");
    require(executors >= 2, "--executors must be at least 2: a chain and single tasks");
    return onRig(
        "result",
        rig -> {
          rig.startNodes(nodes);
          FigureList figures = new FigureList();
          RunVerdict verdict = new RunVerdict();
          new ChainRun(rig, steps, executors, node.valueBytes, progress).run(figures, verdict);
          new FanOutRun(rig, parts, executors, node.valueBytes, progress).run(figures, verdict);
          return new TrialReport(figures, verdict);
        });
  }
}
