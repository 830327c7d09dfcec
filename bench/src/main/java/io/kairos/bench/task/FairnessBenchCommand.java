package io.kairos.bench.task;

import io.kairos.bench.rig.RigCommand;
import java.sql.SQLException;
import java.time.Duration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code bench fairness}: measures how tenants share one queue. Runs on the main thread. */
@Command(
    name = "fairness",
    mixinStandardHelpOptions = true,
    description = {
      "Schedules tasks with fairness keys and performs them in this process: how equal the shares of tenants with unequal",
      "loads are while all have work, and how much later the single tasks of one tenant begin while another has its backlog.",
      "Exit code 0: the largest share is at most 1.1 of the smallest, and p99 grows by at most 50 ms; 1: not; 3: void, something",
      "was lost or performed twice."
    })
public final class FairnessBenchCommand extends RigCommand {
  @Option(names = "--nodes", defaultValue = "1", description = "Nodes that share the work.")
  int nodes;

  @Option(
      names = "--tenants",
      defaultValue = "100",
      description = "Tenants of equal weight that share a queue.")
  int tenants;

  @Option(
      names = "--per-tenant",
      defaultValue = "200",
      description =
          "Tasks of the tenant with the fewest; that with the most has ten times as many.")
  int perTenant;

  @Option(
      names = "--backlog",
      defaultValue = "1000000",
      description = "Due tasks of one tenant behind which those of another are scheduled.")
  int backlog;

  @Option(names = "--probes", defaultValue = "400", description = "Single tasks of the other.")
  int probes;

  @Option(
      names = "--probe-every",
      defaultValue = "50ms",
      description = "Time from one of them to the next.")
  Duration probeEvery = Duration.ZERO;

  @Option(
      names = "--executors",
      defaultValue = "4",
      description = "Threads of the worker that perform tasks.")
  int executors;

  @Option(
      names = "--work-time",
      defaultValue = "1ms",
      description = "How long the worker performs each task.")
  Duration workTime = Duration.ZERO;

  @Override
  protected int run() throws SQLException, InterruptedException {
    require(nodes >= 1, "--nodes must be at least 1");
    require(tenants >= 2 && perTenant >= 1, "--tenants must be at least 2, --per-tenant 1");
    require(backlog >= 1 && probes >= 1, "--backlog and --probes must be at least 1");
    require(executors >= 1, "--executors must be at least 1");
    return onRig(
        "result",
        rig -> {
          rig.startNodes(nodes);
          return new FairnessRun(
                  rig,
                  new FairnessRun.Plan(
                      tenants, perTenant, backlog, probes, probeEvery, executors, workTime),
                  node.valueBytes,
                  progress)
              .run();
        });
  }
}
