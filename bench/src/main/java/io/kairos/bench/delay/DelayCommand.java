package io.kairos.bench.delay;

import io.kairos.bench.rig.RigCommand;
import io.kairos.bench.rig.RouteTopics;
import io.kairos.cli.DurationWord;
import java.sql.SQLException;
import java.time.Duration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code bench delay}: how punctual messages come out at a rate. Runs on the main thread. */
@Command(
    name = "delay",
    mixinStandardHelpOptions = true,
    description = {
      "Sends delayed messages by a fixed schedule and observes how punctual they come out.",
      "Exit code 0: clean; 1: not clean (duplicates, early messages, a takeover or suspicion, the"
          + " rate not kept, rows left in the store); 3: void, something was lost."
    })
public final class DelayCommand extends RigCommand {
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

  @Override
  protected int run() throws SQLException, InterruptedException {
    DelayTrial.Settings settings =
        new DelayTrial.Settings(rate, delayMin, delayMax, warmup, duration, node.valueBytes);
    return onRig(
        "result",
        rig -> {
          RouteTopics topics = rig.newRoute(node.partitions);
          rig.startNodes(nodes, topics, node.settings());
          return trial(new DelayTrial(rig, topics, settings));
        });
  }
}
