package io.kairos.cli.option;

import io.kairos.client.queue.HandlerPause;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;

/** Collection, end and note of a pause or drop. */
public final class PauseOptions {
  @Option(names = "--collection", description = "Only tasks of this collection.")
  @Nullable String collection;

  @ArgGroup @Nullable UntilOptions until;

  @Option(
      names = "--note",
      description = "Reason, for operators; kept with dropped tasks.",
      defaultValue = "")
  String note = "";

  /** The end of the pause: at most one option. */
  static final class UntilOptions {
    @Option(names = "--until", description = "Ends at this time, such as 2026-12-24T18:00:00Z.")
    @Nullable Instant until;

    @Option(names = "--for", description = "Ends after this time, such as 30s, 10m, 1h or P2D.")
    @Nullable Duration length;

    @Nullable Instant end() {
      return length == null ? until : Instant.now().plus(length);
    }
  }

  public HandlerPause applyTo(HandlerPause pause) {
    HandlerPause wanted = pause.because(note);
    if (collection != null) {
      wanted = wanted.of(collection);
    }
    Instant end = until == null ? null : until.end();
    return end == null ? wanted : wanted.until(end);
  }
}
