package io.kairos.bench.spring;

import io.kairos.bench.rig.RigCommand;
import java.sql.SQLException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code bench spring}: measures what the starter costs. Runs on the main thread, with the workers
 * in this process.
 */
@Command(
    name = "spring",
    mixinStandardHelpOptions = true,
    description = {
      "Schedules and performs the same tasks in turns by the client alone, with bytes, and by KairosTemplate and a typed",
      "@KairosHandler, with JSON: from the first call to the last handler. Prints tasks per second of both and Spring ÷ client.",
      "Exit code 0: the median is at least 0.9; 1: not; 3: void, something was lost or performed twice."
    })
public final class SpringBenchCommand extends RigCommand {
  @Option(names = "--rounds", defaultValue = "10", description = "Measured rounds of each.")
  int rounds;

  @Option(
      names = "--warmup-rounds",
      defaultValue = "4",
      description = "Rounds of each before these.")
  int warmUpRounds;

  @Option(names = "--tasks", defaultValue = "50000", description = "Tasks of each round.")
  int tasks;

  @Option(names = "--executors", defaultValue = "4", description = "Threads that perform tasks.")
  int executors;

  @Override
  protected int run() throws SQLException, InterruptedException {
    require(rounds >= 1 && warmUpRounds >= 0, "--rounds must be at least 1, --warmup-rounds 0");
    require(tasks >= 1 && executors >= 1, "--tasks and --executors must be at least 1");
    return onRig(
        "result",
        rig -> {
          rig.startNodes(1);
          return new SpringRun(rig, rounds, warmUpRounds, tasks, executors, progress).run();
        });
  }
}
