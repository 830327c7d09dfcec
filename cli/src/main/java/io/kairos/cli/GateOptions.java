package io.kairos.cli;

import io.kairos.client.TaskGate;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;

/** How tasks of a handler are kept from beginning: which of them, until when, and why. */
final class GateOptions {
  @Option(names = "--collection", description = "Only tasks of this collection.")
  @Nullable String collection;

  @ArgGroup @Nullable UntilOptions until;

  @Option(
      names = "--note",
      description = "Why, for people; kept with the tasks that are dropped.",
      defaultValue = "")
  String note = "";

  /** When it lifts itself: at most one of the two. */
  static final class UntilOptions {
    @Option(names = "--until", description = "Lifts itself then, as 2026-12-24T18:00:00Z.")
    @Nullable Instant until;

    @Option(
        names = "--for",
        converter = DurationWord.class,
        description = "Lifts itself after this time, such as 30s, 10m, 1h or P2D.")
    @Nullable Duration length;

    @Nullable Instant end() {
      return length == null ? until : Instant.now().plus(length);
    }
  }

  TaskGate applyTo(TaskGate gate) {
    TaskGate wanted = gate.because(note);
    if (collection != null) {
      wanted = wanted.of(collection);
    }
    Instant end = until == null ? null : until.end();
    return end == null ? wanted : wanted.until(end);
  }
}
