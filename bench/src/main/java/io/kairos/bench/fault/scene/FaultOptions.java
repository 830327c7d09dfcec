package io.kairos.bench.fault.scene;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options of faults and of the load under which they happen. */
public final class FaultOptions {
  @Option(
      names = "--rate",
      defaultValue = "1000",
      description = "Messages or tasks per second meanwhile.")
  public double rate;

  @Option(
      names = "--delay-max",
      defaultValue = "5s",
      description = "Longest delay of messages; the shortest is 1 s.")
  Duration delayMax = Duration.ZERO;

  @Option(names = "--outage", defaultValue = "1m", description = "How long something is away.")
  public Duration outage = Duration.ZERO;

  @Option(
      names = "--warmup",
      defaultValue = "45s",
      description =
          "Load before an outage. A node compiles for minutes, which counts as what the"
              + " outage costs.")
  public Duration warmup = Duration.ZERO;

  @Option(
      names = "--rounds",
      defaultValue = "10",
      description =
          "How often a node, a worker or a datacentre is killed or stopped, or a credential"
              + " replaced.")
  public int rounds;

  @Option(
      names = "--seed",
      description = "Seed of graphs and kills (default: a new one, which is printed).")
  public @Nullable Integer seed;

  @Option(
      names = "--from",
      description =
          "The commit whose nodes a rolling upgrade replaces (default: the one that bench/baseline"
              + " names).")
  public @Nullable String from;
}
