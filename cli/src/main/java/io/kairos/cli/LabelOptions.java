package io.kairos.cli;

import io.kairos.client.Idempotency;
import io.kairos.client.Idempotency.OnConflict;
import io.kairos.client.TaskRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What marks a task: how it stands to others, and that it is scheduled once. */
final class LabelOptions {
  @Option(
      names = "--key",
      description = "Tasks of the handler with the same key run one at a time, in due order.")
  @Nullable String key;

  @Option(
      names = "--collection",
      description = "Label by which tasks of the handler are paused, dropped and listed together.")
  @Nullable String collection;

  @Option(
      names = "--start-by",
      description = "No attempt begins after this instant, as 2026-12-24T18:00:00Z.")
  @Nullable Instant startBy;

  @Option(
      names = "--idempotency-key",
      description = "A second task with it is the first, as long as --window lasts.")
  @Nullable String idempotencyKey;

  @Option(
      names = "--window",
      defaultValue = "while-unfinished",
      description =
          "Of the idempotency key: while-unfinished, forever, or a time such as 30s, 10m, 1h, P2D"
              + " (default ${DEFAULT-VALUE}).")
  String window = "while-unfinished";

  @Option(
      names = "--on-conflict",
      defaultValue = "KEEP",
      description =
          "When the idempotency key is taken: ${COMPLETION-CANDIDATES} (default ${DEFAULT-VALUE}).")
  OnConflict onConflict = OnConflict.KEEP;

  void applyTo(TaskRequest.Builder task) {
    if (key != null) {
      task.key(key);
    }
    if (collection != null) {
      task.collection(collection);
    }
    if (startBy != null) {
      task.startDeadline(startBy);
    }
    if (idempotencyKey != null) {
      task.idempotency(inWindow(Idempotency.key(idempotencyKey)).onConflict(onConflict));
    }
  }

  private Idempotency inWindow(Idempotency idempotency) {
    return switch (window.toLowerCase(Locale.ROOT)) {
      case "while-unfinished" -> idempotency;
      case "forever" -> idempotency.forever();
      default -> {
        Duration length = new DurationWord().convert(window);
        yield idempotency.forTime(length);
      }
    };
  }
}
