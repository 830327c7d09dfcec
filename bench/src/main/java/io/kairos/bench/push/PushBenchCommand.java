package io.kairos.bench.push;

import io.kairos.bench.rig.RigCommand;
import io.kairos.bench.task.TaskLoadOptions;
import java.sql.SQLException;
import java.time.Duration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code bench push}: measures how many tasks per second reach a pool. Runs on the main thread. */
@Command(
    name = "push",
    mixinStandardHelpOptions = true,
    description = {
      "Schedules tasks over gRPC for a pool of HTTP endpoints, which are in this process, and has one node push them.",
      "The receiver is the judge.",
      "Exit code 0: clean; 1: not clean, such as early; 3: void, something was lost or pushed twice."
    })
public final class PushBenchCommand extends RigCommand {
  @Option(names = "--endpoints", defaultValue = "4", description = "Endpoints of the pool.")
  int endpoints;

  @Option(names = "--hold", defaultValue = "0s", description = "From a request to its answer.")
  Duration hold = Duration.ZERO;

  @Option(
      names = "--in-flight",
      defaultValue = "1000",
      description = "Requests under way from the node.")
  int inFlight;

  @Mixin TaskLoadOptions tasks = new TaskLoadOptions();

  @Override
  protected int run() throws SQLException, InterruptedException {
    require(tasks.keys == 0, "tasks of a pool have no --keys here");
    PushTrial.Pool pool = new PushTrial.Pool(endpoints, hold, inFlight);
    return onRig("result", 1, rig -> new PushTrial(rig, tasks, node.valueBytes, pool));
  }
}
