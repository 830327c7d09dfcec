package io.kairos.domain.pool;

import io.kairos.domain.task.AttemptOutcome;
import io.kairos.domain.task.ErrorText;
import io.kairos.domain.task.TaskResult;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Decides the outcome of an attempt by an endpoint's answer. Only a 2xx is a success. A redirection
 * is a failure, because its target is not in the allow list.
 */
public final class AnswerRules {
  private static final Duration LONGEST_WAIT = Duration.ofDays(365);
  private static final int ACCEPTED = 202;
  private static final int GONE = 410;

  private AnswerRules() {}

  /**
   * The parts of an answer that count.
   *
   * @param retryAfter the value of the header; null for none
   * @param later true if the attempt goes on and its token ends it
   * @param snoozes true if the endpoint puts the task off until then, without a failure
   * @param text the beginning of the body
   * @param result the whole body with its content type; {@link TaskResult#NONE} for an empty body,
   *     and for one that is larger than a result may be: the work is done all the same
   */
  public record Answer(
      int status,
      @Nullable String retryAfter,
      boolean later,
      boolean snoozes,
      String text,
      TaskResult result) {
    public Answer {
      text = ErrorText.bounded(text);
    }

    /** An answer with a text as its whole body. */
    public Answer(
        int status, @Nullable String retryAfter, boolean later, boolean snoozes, String text) {
      this(status, retryAfter, later, snoozes, text, TaskResult.text(text));
    }

    /** Returns true if the attempt goes on after this answer. */
    public boolean goesOn() {
      return status == ACCEPTED && later;
    }
  }

  /** Returns the outcome of an attempt that ends with this answer. */
  public static AttemptOutcome outcome(Answer answer, Instant now) {
    int status = answer.status();
    if (status >= 200 && status < 300) {
      return new AttemptOutcome.Succeeded(answer.result());
    }
    String errorClass = "HTTP " + status;
    String error = errorClass + (answer.text().isBlank() ? "" : ": " + answer.text());
    if (status == GONE) {
      return new AttemptOutcome.Failed(error, errorClass);
    }
    Optional<Duration> wait = wait(answer.retryAfter(), now);
    if (answer.snoozes() && wait.isPresent()) {
      return new AttemptOutcome.Snoozed(wait.get());
    }
    return wait.isPresent()
        ? new AttemptOutcome.RetryAfter(error, errorClass, wait.get())
        : new AttemptOutcome.RetryLater(error, errorClass);
  }

  /**
   * Returns true if the answer shows that the endpoint itself is unhealthy. An endpoint that
   * refuses a request, or asks for a retry later, is healthy.
   */
  public static boolean isIll(Answer answer) {
    return answer.status() >= 500 && answer.retryAfter() == null;
  }

  private static Optional<Duration> wait(@Nullable String text, Instant now) {
    if (text == null) {
      return Optional.empty();
    }
    String trimmed = text.strip();
    if (trimmed.matches("[0-9]{1,9}")) {
      return Optional.of(bounded(Duration.ofSeconds(Long.parseLong(trimmed))));
    }
    try {
      Instant at = ZonedDateTime.parse(trimmed, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant();
      return Optional.of(bounded(Duration.between(now, at)));
    } catch (DateTimeParseException _) {
      return Optional.empty();
    }
  }

  private static Duration bounded(Duration wait) {
    if (wait.isNegative()) {
      return Duration.ZERO;
    }
    return wait.compareTo(LONGEST_WAIT) > 0 ? LONGEST_WAIT : wait;
  }
}
