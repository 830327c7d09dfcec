package io.kairos.cli.option;

import static io.kairos.api.text.GivenValue.ifGiven;

import io.kairos.client.Idempotency;
import io.kairos.client.Idempotency.OnConflict;
import io.kairos.client.Idempotency.PeriodUnit;
import io.kairos.client.TaskRequest;
import io.kairos.client.batch.BatchId;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;

/**
 * Ordering key, collection, fairness key, limits, batch, start deadline and idempotency of a task.
 */
public final class LabelOptions {
  private static final Pattern PERIOD =
      Pattern.compile("(minute|hour|day|week|month)(?:@(.+))?", Pattern.CASE_INSENSITIVE);

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
      names = "--limit",
      description =
          "Name of a limit that holds for the task, such as api:stripe; up to three times. See kairos"
              + " limit.")
  List<String> limits = List.of();

  @Option(
      names = "--batch",
      paramLabel = "ID",
      description = "Id of the batch that the task joins; kairos batch create prints it.")
  @Nullable String batch;

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
      converter = WindowWord.class,
      description =
          "Window of the idempotency key: while-unfinished, while-waiting, forever, a time such as"
              + " 30s, 10m, 1h, P2D, or once per minute, hour, day, week or month: day in UTC,"
              + " day@Europe/Berlin (default ${DEFAULT-VALUE}).")
  UnaryOperator<Idempotency> window = UnaryOperator.identity();

  @Option(
      names = "--on-conflict",
      defaultValue = "KEEP",
      description = "When the key is taken: ${COMPLETION-CANDIDATES} (default ${DEFAULT-VALUE}).")
  OnConflict onConflict = OnConflict.KEEP;

  @Option(
      names = "--max-wait",
      description =
          "With --on-conflict REPLACE: the task is due at most this long after the first one was"
              + " added. With --window while-waiting that is a debounce.")
  @Nullable Duration maxWait;

  public void applyTo(TaskRequest.Builder task) {
    ifGiven(key, task::key);
    ifGiven(collection, task::collection);
    ifGiven(fairnessKey, task::fairnessKey);
    ifGiven(fairnessWeight, task::fairnessWeight);
    limits.forEach(task::limit);
    ifGiven(batch, id -> task.batch(BatchId.of(id)));
    ifGiven(startBy, task::startDeadline);
    ifGiven(rejectBeyond, task::rejectBeyond);
    if (idempotencyKey != null) {
      Idempotency idempotency =
          window.apply(Idempotency.key(idempotencyKey)).onConflict(onConflict);
      task.idempotency(maxWait == null ? idempotency : idempotency.maxWait(maxWait));
    }
  }

  /** Reads a window, and sets it on the idempotency of a task. */
  static final class WindowWord implements ITypeConverter<UnaryOperator<Idempotency>> {
    @Override
    public UnaryOperator<Idempotency> convert(String text) {
      Matcher period = PERIOD.matcher(text);
      String unit = period.matches() ? period.group(1) : null;
      if (unit != null) {
        PeriodUnit length = PeriodUnit.valueOf(unit.toUpperCase(Locale.ROOT));
        ZoneId zone = zone(period.group(2));
        return idempotency -> idempotency.oncePer(length, zone);
      }
      return switch (text.toLowerCase(Locale.ROOT)) {
        case "while-unfinished" -> UnaryOperator.identity();
        case "while-waiting" -> Idempotency::whileWaiting;
        case "forever" -> Idempotency::forever;
        default -> {
          Duration length = new DurationWord().convert(text);
          yield idempotency -> idempotency.forTime(length);
        }
      };
    }

    private static ZoneId zone(@Nullable String name) {
      return name == null ? ZoneOffset.UTC : new ZoneName().convert(name);
    }
  }
}
