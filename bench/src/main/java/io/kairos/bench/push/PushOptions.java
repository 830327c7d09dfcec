package io.kairos.bench.push;

import io.kairos.cli.DurationWord;
import java.time.Duration;
import picocli.CommandLine.Option;

/** Options that say what is pushed, how fast, and how it is received. */
final class PushOptions {
  @Option(
      names = "--rate",
      defaultValue = "0",
      description =
          "Tasks per second, by a fixed schedule; 0 (the default): as many as are pushed, with a bounded number under"
              + " way.")
  double rate;

  @Option(
      names = "--batch",
      defaultValue = "100",
      description = "Tasks in one schedule call (default ${DEFAULT-VALUE}).")
  int batch;

  @Option(
      names = "--outstanding",
      defaultValue = "20000",
      description =
          "Without a rate: tasks accepted and not yet received (default ${DEFAULT-VALUE}).")
  int outstanding;

  @Option(
      names = "--callers",
      defaultValue = "4",
      description = "Threads that schedule (default ${DEFAULT-VALUE}).")
  int callers;

  @Option(
      names = "--delay",
      defaultValue = "0s",
      converter = DurationWord.class,
      description = "From the schedule call to the due time (default ${DEFAULT-VALUE}).")
  Duration delay = Duration.ZERO;

  @Option(
      names = "--endpoints",
      defaultValue = "4",
      description = "Endpoints of the pool (default ${DEFAULT-VALUE}).")
  int endpoints;

  @Option(
      names = "--hold",
      defaultValue = "0s",
      converter = DurationWord.class,
      description = "From a request to its answer (default ${DEFAULT-VALUE}).")
  Duration hold = Duration.ZERO;

  @Option(
      names = "--in-flight",
      defaultValue = "1000",
      description = "Requests under way from the node (default ${DEFAULT-VALUE}).")
  int inFlight;

  @Option(
      names = "--lose-endpoint",
      description =
          "In the middle of the measured part the first endpoint goes away; what it had not answered is pushed again.")
  boolean loseEndpoint;

  @Option(
      names = "--warmup",
      defaultValue = "15s",
      converter = DurationWord.class,
      description = "Load before the measured part (default ${DEFAULT-VALUE}).")
  Duration warmup = Duration.ZERO;

  @Option(
      names = "--duration",
      defaultValue = "1m",
      converter = DurationWord.class,
      description = "Measured part (default ${DEFAULT-VALUE}).")
  Duration duration = Duration.ZERO;
}
