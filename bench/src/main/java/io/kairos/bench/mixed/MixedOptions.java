package io.kairos.bench.mixed;

import java.time.Duration;
import picocli.CommandLine.Option;

/** Options of a part. */
final class MixedOptions {
  @Option(names = "--part", defaultValue = "10m", description = "Length of a part.")
  Duration part = Duration.ZERO;

  @Option(names = "--rate", defaultValue = "20", description = "Submissions per second and door.")
  double rate;

  @Option(names = "--nodes", defaultValue = "2", description = "Number of nodes.")
  int nodes;

  @Option(
      names = "--calm",
      defaultValue = "8s",
      description = "Time without a fault after all is punctual again.")
  Duration calm = Duration.ZERO;
}
