package io.kairos.bench.task;

import io.kairos.bench.rig.BenchTls;
import io.kairos.bench.rig.RigCommand;
import java.nio.file.Path;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code bench tasks}: measures how many tasks per second are performed. Runs on the main thread.
 */
@Command(
    name = "tasks",
    mixinStandardHelpOptions = true,
    description = {
      "Schedules tasks over gRPC and has them performed by worker processes, from the schedule call to the acknowledged",
      "result. The workers' own logs are the judge.",
      "Exit code 0: clean; 1: not clean, such as early; 3: void, something was lost, performed twice or out of order."
    })
public final class TaskBenchCommand extends RigCommand {
  @Option(names = "--nodes", defaultValue = "1", description = "Nodes that share the work.")
  int nodes;

  @Option(names = "--workers", defaultValue = "1", description = "Worker processes.")
  int workers;

  @Option(
      names = "--executors",
      defaultValue = "4",
      description = "Threads that perform tasks in each.")
  int executors;

  @Option(
      names = "--tls",
      paramLabel = "FOLDER",
      description =
          "Calls by TLS, with ca.crt, tls.crt and tls.key for localhost in this folder. Without it: plain text.")
  @Nullable Path tls;

  @Option(
      names = "--dashboards",
      defaultValue = "0",
      description =
          "Clients that ask what an open Overview of the dashboard asks, in its rhythm; not with --tls.")
  int dashboards;

  @Mixin TaskLoadOptions tasks = new TaskLoadOptions();

  @Override
  protected int run() throws SQLException, InterruptedException {
    if (tls != null) {
      node.speak(new BenchTls(tls));
    }
    require(dashboards == 0 || tls == null, "--dashboards goes without --tls");
    // Tasks of one call are due at the same time, so that those of one key would have no order.
    require(tasks.keys == 0 || tasks.keys >= tasks.batch, "--keys must be at least --batch");
    return onRig(
        "result",
        nodes,
        rig -> new WorkerTrial(rig, tasks, node.valueBytes, workers, executors, dashboards));
  }
}
