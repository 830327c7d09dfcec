package io.kairos.cli;

import static java.util.Objects.requireNonNull;

import io.kairos.client.KairosClient;
import io.kairos.client.Task;
import io.kairos.client.TaskId;
import io.kairos.client.TaskRequest;
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

  /** Sets what is given. */
  static void apply(@Nullable WhenOptions given, TaskRequest.Builder task) {
    if (given != null && given.at != null) {
      task.runAt(given.at);
    }
    if (given != null && given.delay != null) {
      task.delay(given.delay);
    }
  }

  /** Where one of them must be given. */
  Task reschedule(KairosClient client, TaskId task) {
    return at != null
        ? client.reschedule(task, at)
        : client.reschedule(task, requireNonNull(delay));
  }
}
