package io.kairos.cli;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** When a task is due: at most one of the two. */
final class WhenOptions {
  @Option(
      names = "--at",
      description = "The earliest instant at which it may run, as 2026-12-24T18:00:00Z.")
  @Nullable Instant at;

  @Option(
      names = "--delay",
      converter = DurationWord.class,
      description = "How long from now, such as 500ms, 30s, 10m, 1h or P2D.")
  @Nullable Duration delay;
}
