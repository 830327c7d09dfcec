package io.kairos.client.worker;

import io.kairos.api.text.ProtoTime;
import io.kairos.api.v1.Result;
import io.kairos.api.v1.Work;
import io.kairos.client.encryption.MessageEncryption;
import io.kairos.client.encryption.PayloadDecryptionException;
import io.kairos.client.handler.CancelReason;
import io.kairos.client.handler.FatalFailure;
import io.kairos.client.handler.NotBegun;
import io.kairos.client.handler.RetryLater;
import io.kairos.client.handler.Snooze;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/** Decides the result of an attempt by how its handler ended. */
final class AttemptResults {
  private static final int MOST_TEXT = 2_000;
  private static final int MOST_CLASS = 200;
  private static final Duration LONGEST_DELAY = Duration.ofDays(365);

  private AttemptResults() {}

  /**
   * @param reason why the attempt was cancelled; null when it was not
   * @param thrown exception of the handler; null when the handler returned
   * @param encryption of error texts that may hold what is in the payload
   */
  static Result of(
      Work work,
      @Nullable CancelReason reason,
      @Nullable Throwable thrown,
      MessageEncryption encryption) {
    if (reason == null && thrown instanceof PayloadDecryptionException refused) {
      return notDecrypted(work, refused);
    }
    Result result = plain(work, reason, thrown);
    return thrown == null ? result : encryption.encrypted(work.getHandler(), result);
  }

  /** Its text stays plain, because it names the key and nothing of the payload. */
  private static Result notDecrypted(Work work, PayloadDecryptionException refused) {
    String text = "the payload cannot be decrypted: " + refused.getMessage();
    String errorClass = refused.getClass().getName();
    return refused.reason() == PayloadDecryptionException.Reason.TAMPERED
        ? result(work)
            .setFatal(Result.Fatal.newBuilder().setError(text).setErrorClass(errorClass))
            .build()
        : retry(work, text, errorClass, null);
  }

  private static Result plain(
      Work work, @Nullable CancelReason reason, @Nullable Throwable thrown) {
    if (reason == CancelReason.EXECUTION_TIMEOUT) {
      return retry(work, "execution timeout", "execution timeout", null);
    }
    if (thrown == null) {
      return result(work).setSuccess(Result.Success.getDefaultInstance()).build();
    }
    boolean gaveIn =
        thrown instanceof CancellationException || thrown instanceof InterruptedException;
    if (gaveIn && reason == CancelReason.CANCEL_REQUESTED) {
      return cancelled(work);
    }
    if (gaveIn && reason == CancelReason.SHUTDOWN) {
      return retry(work, "the worker was stopped", classOf(thrown), Duration.ZERO);
    }
    if (thrown instanceof NotBegun) {
      return notBegun(work);
    }
    if (thrown instanceof Snooze snooze) {
      return result(work)
          .setSnoozed(Result.Snoozed.newBuilder().setDelay(ProtoTime.of(inRange(snooze.delay()))))
          .build();
    }
    if (thrown instanceof FatalFailure) {
      return result(work)
          .setFatal(Result.Fatal.newBuilder().setError(text(thrown)).setErrorClass(classOf(thrown)))
          .build();
    }
    if (thrown instanceof RetryLater later) {
      return retry(
          work,
          text(later),
          classOf(later),
          later.delay().map(AttemptResults::inRange).orElse(null));
    }
    return retry(work, text(thrown), classOf(thrown), null);
  }

  static Result cancelled(Work work) {
    return result(work).setCancelled(Result.Cancelled.getDefaultInstance()).build();
  }

  static Result notBegun(Work work) {
    return result(work).setNotBegun(Result.NotBegun.getDefaultInstance()).build();
  }

  static AttemptEnding endingOf(Result result) {
    return switch (result.getOutcomeCase()) {
      case SUCCESS -> AttemptEnding.SUCCEEDED;
      case CANCELLED -> AttemptEnding.CANCELLED;
      case NOT_BEGUN -> AttemptEnding.NOT_BEGUN;
      case SNOOZED -> AttemptEnding.SNOOZED;
      case FATAL -> AttemptEnding.FATAL;
      case RETRY_LATER, OUTCOME_NOT_SET -> AttemptEnding.RETRY_LATER;
    };
  }

  /**
   * Returns the message of RetryLater and FatalFailure, and the class and message of other
   * exceptions, each followed by the causes.
   */
  private static String text(Throwable thrown) {
    StringBuilder text = new StringBuilder();
    String message = thrown.getMessage();
    text.append(isOurs(thrown) && message != null ? message : thrown.toString());
    for (Throwable at = thrown.getCause();
        at != null && text.length() < MOST_TEXT;
        at = at.getCause()) {
      text.append(" <- ").append(at);
    }
    return cut(text.toString(), MOST_TEXT);
  }

  /**
   * Returns the class of an exception; of RetryLater and FatalFailure the class that was given, or
   * else that of the cause, if any.
   */
  private static String classOf(Throwable thrown) {
    if (thrown instanceof RetryLater later && later.errorClass().isPresent()) {
      return cut(later.errorClass().get(), MOST_CLASS);
    }
    if (thrown instanceof FatalFailure fatal && fatal.errorClass().isPresent()) {
      return cut(fatal.errorClass().get(), MOST_CLASS);
    }
    Throwable cause = thrown.getCause();
    return cut((isOurs(thrown) && cause != null ? cause : thrown).getClass().getName(), MOST_CLASS);
  }

  private static boolean isOurs(Throwable thrown) {
    return thrown instanceof RetryLater || thrown instanceof FatalFailure;
  }

  private static String cut(String text, int most) {
    if (text.length() <= most) {
      return text;
    }
    boolean halvesACharacter = Character.isHighSurrogate(text.charAt(most - 1));
    return text.substring(0, halvesACharacter ? most - 1 : most);
  }

  /**
   * Limits a delay to what nodes accept, because one invalid delay would fail the whole batch of
   * results.
   */
  private static Duration inRange(Duration delay) {
    if (delay.isNegative()) {
      return Duration.ZERO;
    }
    return delay.compareTo(LONGEST_DELAY) > 0 ? LONGEST_DELAY : delay;
  }

  private static Result retry(
      Work work, String error, String errorClass, @Nullable Duration delay) {
    Result.RetryLater.Builder later =
        Result.RetryLater.newBuilder().setError(error).setErrorClass(errorClass);
    if (delay != null) {
      later.setDelay(ProtoTime.of(delay));
    }
    return result(work).setRetryLater(later).build();
  }

  private static Result.Builder result(Work work) {
    return Result.newBuilder().setId(work.getId()).setFence(work.getFence());
  }
}
