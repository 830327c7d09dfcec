package io.kairos.domain.pool;

import io.kairos.domain.task.ErrorText;
import io.kairos.domain.task.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What an endpoint's answer means for the attempt (PH-30, C6): success is explicit, a 2xx and
 * nothing else. A redirection is a failure, because where it leads nobody has allowed.
 */
public final class AnswerRules {
  private static final Duration LONGEST_WAIT = Duration.ofDays(365);
  private static final int ACCEPTED = 202;
  private static final int GONE = 410;

  private AnswerRules() {}

  /**
   * An answer as far as it counts.
   *
   * @param retryAfter of the header; null for none
   * @param later whether the attempt goes on and is ended by its token
   * @param text the beginning of the body
   */
  public record Answer(int status, @Nullable String retryAfter, boolean later, String text) {
    public Answer {
      text = ErrorText.bounded(text);
    }

    /** It goes on after this answer. */
    public boolean goesOn() {
      return status == ACCEPTED && later;
    }
  }

  /** How the attempt ended by an answer after which it does not go on. */
  public static Outcome outcome(Answer answer, Instant now) {
    int status = answer.status();
    if (status >= 200 && status < 300) {
      return new Outcome.Succeeded(answer.text());
    }
    String error = "HTTP " + status + (answer.text().isBlank() ? "" : ": " + answer.text());
    if (status == GONE) {
      return new Outcome.Failed(error);
    }
    Optional<Duration> wait = wait(answer.retryAfter(), now);
    return wait.isPresent()
        ? new Outcome.RetryAfter(error, wait.get())
        : new Outcome.RetryLater(error);
  }

  /**
   * Whether the endpoint itself is unwell. What it refuses for the request's sake, or puts off in
   * as many words, it could answer.
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
