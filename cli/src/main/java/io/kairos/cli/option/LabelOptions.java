package io.kairos.cli.option;

import static io.kairos.api.text.GivenValue.ifGiven;

import io.kairos.client.Idempotency;
import io.kairos.client.Idempotency.OnConflict;
import io.kairos.client.TaskRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Ordering key, collection, fairness key, start deadline and idempotency of a task. */
public final class LabelOptions {
  @Option(
      names = "--key",
      description = "Ordering key: tasks with the same key run one at a time, by due time.")
  @Nullable String key;

  @Option(
      names = "--collection",
      description = "Collection: a label by which tasks are paused, dropped and listed together.")
  @Nullable String collection;

  @Option(
      names = "--fairness-key",
      description =
          "Fairness key, such as a tenant: tasks of a queue are handed out by turns between these"
              + " keys.")
  @Nullable String fairnessKey;

  @Option(
      names = "--fairness-weight",
      description =
          "Tasks of the fairness key for each one of a key of weight 1: 1 to 1000 (default 1).")
  @Nullable Integer fairnessWeight;

  @Option(
      names = "--start-by",
      description = "No attempt begins after this time, such as 2026-12-24T18:00:00Z.")
  @Nullable Instant startBy;

  @Option(
      names = "--reject-beyond",
      description =
          "The same as a time after the due time, such as 10m; a task that is due longer ago is"
              + " refused.")
  @Nullable Duration rejectBeyond;

  @Option(
      names = "--idempotency-key",
      description = "A task with the same key counts as the first one while --window lasts.")
  @Nullable String idempotencyKey;

  @Option(
      names = "--window",
      defaultValue = "while-unfinished",
      description =
          "Window of the idempotency key: while-unfinished, forever, or a time such as 30s,"
              + " 10m, 1h, P2D (default ${DEFAULT-VALUE}).")
  String window = "while-unfinished";

  @Option(
      names = "--on-conflict",
      defaultValue = "KEEP",
      description = "When the key is taken: ${COMPLETION-CANDIDATES} (default ${DEFAULT-VALUE}).")
  OnConflict onConflict = OnConflict.KEEP;

  public void applyTo(TaskRequest.Builder task) {
    ifGiven(key, task::key);
    ifGiven(collection, task::collection);
    ifGiven(fairnessKey, task::fairnessKey);
    ifGiven(fairnessWeight, task::fairnessWeight);
    ifGiven(startBy, task::startDeadline);
    ifGiven(rejectBeyond, task::rejectBeyond);
    if (idempotencyKey != null) {
      task.idempotency(inWindow(Idempotency.key(idempotencyKey)).onConflict(onConflict));
    }
  }

  private Idempotency inWindow(Idempotency idempotency) {
    return switch (window.toLowerCase(Locale.ROOT)) {
      case "while-unfinished" -> idempotency;
      case "forever" -> idempotency.forever();
      default -> idempotency.forTime(new DurationWord().convert(window));
    };
  }
}
