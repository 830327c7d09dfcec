package io.kairos.cli.option;

import static io.kairos.api.text.GivenValue.ifGiven;
import static java.util.Objects.requireNonNull;

import io.kairos.client.KairosClient;
import io.kairos.client.Task;
import io.kairos.client.TaskRequest;
import io.kairos.client.task.TaskId;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The due time of a task: at most one option. */
public final class WhenOptions {
  @Option(names = "--at", description = "Due time, such as 2026-12-24T18:00:00Z.")
  @Nullable Instant at;

  @Option(
      names = "--delay",
      description = "Due time as a delay from now, such as 500ms, 30s, 10m, 1h or P2D.")
  @Nullable Duration delay;

  /** Sets the given options on a task. */
  public static void apply(@Nullable WhenOptions given, TaskRequest.Builder task) {
    if (given != null) {
      ifGiven(given.at, task::runAt);
      ifGiven(given.delay, task::delay);
    }
  }

  /** Reschedules a task; one of the options must be given. */
  public Task reschedule(KairosClient client, TaskId task) {
    return at != null
        ? client.reschedule(task, at)
        : client.reschedule(task, requireNonNull(delay));
  }
}
