package io.kairos.edge.task;

import static io.kairos.edge.refusal.InvalidField.reading;
import static io.kairos.edge.refusal.InvalidField.require;
import static io.kairos.edge.task.RequestFields.micros;

import io.kairos.api.v1.ListTasksRequest;
import io.kairos.domain.schedule.definition.ScheduleName;
import io.kairos.domain.task.ErrorFingerprint;
import io.kairos.domain.task.ErrorText;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.batch.BatchId;
import io.kairos.domain.time.EpochMicros;
import io.kairos.edge.refusal.InvalidField;
import io.kairos.engine.task.port.operator.ListQuery;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads the conditions by which tasks are looked for. Throws {@link InvalidField}. */
final class SearchRequests {
  /** The longest time within which texts are compared. */
  private static final Duration LONGEST_WITH_TEXT = Duration.ofDays(31);

  private static final int LONGEST_TEXT = 200;
  private static final int HEX_DIGITS = 32;
  private static final int HEX_DIGITS_OF_HALF = 16;
  private static final int HEX = 16;
  private static final Pattern PREFIX = Pattern.compile("[0-9a-f]{8,32}");

  private SearchRequests() {}

  /**
   * The ids that begin in one way.
   *
   * @param from the first; null for all ids
   * @param before what follows the last; null for none
   */
  record IdRange(@Nullable TaskId from, @Nullable TaskId before) {}

  static IdRange ids(String prefix) {
    if (prefix.isEmpty()) {
      return new IdRange(null, null);
    }
    String digits = prefix.replace("-", "").toLowerCase(Locale.ROOT);
    require(
        PREFIX.matcher(digits).matches(),
        "id_prefix",
        "must be 8 to 32 hexadecimal digits, with or without hyphens");
    return new IdRange(
        id(digits + "0".repeat(HEX_DIGITS - digits.length())),
        following(id(digits + "f".repeat(HEX_DIGITS - digits.length()))));
  }

  private static TaskId id(String digits) {
    return new TaskId(
        new UUID(
            Long.parseUnsignedLong(digits.substring(0, HEX_DIGITS_OF_HALF), HEX),
            Long.parseUnsignedLong(digits.substring(HEX_DIGITS_OF_HALF), HEX)));
  }

  private static @Nullable TaskId following(TaskId last) {
    long high = last.value().getMostSignificantBits();
    long low = last.value().getLeastSignificantBits() + 1;
    long carried = low == 0 ? high + 1 : high;
    return low == 0 && carried == 0 ? null : new TaskId(new UUID(carried, low));
  }

  static ListQuery.Search search(ListTasksRequest request, @Nullable TaskId from, Instant now) {
    require(request.getMinAttempts() >= 0, "min_attempts", "must not be negative");
    require(
        request.getText().length() <= LONGEST_TEXT && request.getText().indexOf('\0') < 0,
        "text",
        "must be at most 200 characters, without U+0000");
    Long endedFrom =
        request.hasEndedNotBefore()
            ? micros("ended_not_before", request.getEndedNotBefore())
            : null;
    Long endedTo =
        request.hasEndedBefore() ? micros("ended_before", request.getEndedBefore()) : null;
    require(
        endedFrom == null || endedTo == null || endedFrom < endedTo,
        "ended_before",
        "must be after ended_not_before");
    if (!request.getText().isEmpty()) {
      Long dueFrom = request.hasNotBefore() ? micros("not_before", request.getNotBefore()) : null;
      Long dueTo = request.hasBefore() ? micros("before", request.getBefore()) : null;
      require(
          isShort(dueFrom, dueTo)
              || isShort(endedFrom, endedTo == null ? EpochMicros.of(now) : endedTo),
          "text",
          "must be given together with a time within which tasks are due (not_before, before) or"
              + " ended (ended_not_before, ended_before), of at most 31 days");
    }
    return new ListQuery.Search(
        from,
        request.getMinAttempts(),
        errorClass("error_class", request.getErrorClass()),
        fingerprint("error_fingerprint", request.getErrorFingerprint()),
        endedFrom,
        endedTo,
        request.getText(),
        request.hasPriority()
            ? RequestFields.priority("priority", true, request.getPriority())
            : null,
        request.getSchedule().isEmpty()
            ? null
            : reading(
                "schedule",
                "must have " + ScheduleName.RULE,
                () -> new ScheduleName(request.getSchedule())),
        batch(request));
  }

  private static @Nullable BatchId batch(ListTasksRequest request) {
    if (request.getBatch().isEmpty()) {
      return null;
    }
    require(request.getSchedule().isEmpty(), "batch", "must not be given together with schedule");
    return RequestFields.batchId("batch", request.getBatch());
  }

  private static boolean isShort(@Nullable Long from, @Nullable Long to) {
    return from != null && to != null && to - from <= EpochMicros.lengthOf(LONGEST_WITH_TEXT);
  }

  /** Empty for all. */
  static String errorClass(String field, String given) {
    require(
        given.length() <= ErrorText.LONGEST_CLASS && given.indexOf('\0') < 0,
        field,
        "must be at most 200 characters, without U+0000");
    return given;
  }

  /** Empty for all. */
  static String fingerprint(String field, String given) {
    String text = given.toLowerCase(Locale.ROOT);
    require(
        text.isEmpty() || ErrorFingerprint.isValid(text),
        field,
        "must be " + ErrorFingerprint.RULE);
    return text;
  }
}
