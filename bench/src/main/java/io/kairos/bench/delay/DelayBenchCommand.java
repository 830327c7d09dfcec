package io.kairos.bench.delay;

import io.kairos.bench.rig.RigCommand;
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
public final class DelayBenchCommand extends RigCommand {
  @Option(names = "--rate", defaultValue = "1000", description = "Messages per second.")
  double rate;

  @Option(names = "--delay-min", defaultValue = "3s", description = "Shortest delay.")
  Duration delayMin = Duration.ZERO;

  @Option(names = "--delay-max", defaultValue = "10s", description = "Longest delay.")
  Duration delayMax = Duration.ZERO;

  @Option(
      names = "--duration",
      defaultValue = "1m",
      description = "Measured part; published figures use 10m.")
  Duration duration = Duration.ZERO;

  @Option(names = "--warmup", defaultValue = "1m", description = "Load before the measured part.")
  Duration warmup = Duration.ZERO;

  @Option(names = "--nodes", defaultValue = "1", description = "Nodes that share the work.")
  int nodes;

  @Override
  protected int run() throws SQLException, InterruptedException {
    require(rate >= 1, "--rate must be at least 1 message per second");
    require(delayMax.compareTo(delayMin) >= 0, "--delay-max must not be shorter than --delay-min");
    require(duration.toSeconds() >= 1, "--duration must be at least 1 s");
    return onRig("result", nodes, rig -> new DelayTrial(rig, this));
  }

  /** Messages of the whole load. */
  long count() {
    return Math.round(rate * warmup.plus(duration).toNanos() / 1e9);
  }
}
