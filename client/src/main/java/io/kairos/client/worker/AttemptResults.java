package io.kairos.client.worker;

import com.google.protobuf.UnsafeByteOperations;
import io.kairos.api.text.ProtoTime;
import io.kairos.api.v1.Result;
import io.kairos.api.v1.Work;
import io.kairos.client.encryption.MessageEncryption;
import io.kairos.client.encryption.PayloadDecryptionException;
import io.kairos.client.encryption.PayloadTarget;
import io.kairos.client.handler.CancelReason;
import io.kairos.client.handler.FatalFailure;
import io.kairos.client.handler.NotBegun;
import io.kairos.client.handler.RetryLater;
import io.kairos.client.handler.Snooze;
import io.kairos.client.task.TaskResult;
import io.kairos.client.worker.ErrorRedaction.ReportedError;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/** Decides the result of an attempt by how its handler ended. */
final class AttemptResults {
  private static final int MOST_TEXT = 2_000;
  private static final int MOST_CLASS = 200;
  private static final int MOST_STACK = 8_000;
  private static final int MOST_CAUSES = 50;

  /** Of each exception, so that its causes are not cut off. */
  private static final int MOST_FRAMES = 25;

  private static final Duration LONGEST_DELAY = Duration.ofDays(365);

  private AttemptResults() {}

  /**
   * @param reason why the attempt was cancelled; null when it was not
   * @param thrown exception of the handler; null when the handler returned
   * @param value the value that the handler has set; null for none
   * @param reporting what is done to what may hold what is in the payload
   */
  static Result of(
      Work work,
      @Nullable CancelReason reason,
      @Nullable Throwable thrown,
      @Nullable TaskResult value,
      Reporting reporting) {
    if (reason == null && thrown instanceof PayloadDecryptionException refused) {
      return notDecrypted(work, refused);
    }
    Result result = plain(work, reason, thrown, value);
    if (result.hasSuccess()) {
      return value == null ? result : encrypted(work, result, reporting.encryption);
    }
    return thrown == null
        ? result
        : encryptedTexts(work, redacted(work, result, reporting), reporting.encryption);
  }

  /** The redaction of errors, and the encryption of errors and values. */
  record Reporting(ErrorRedaction redaction, MessageEncryption encryption) {}

  private static Result encrypted(Work work, Result result, MessageEncryption encryption) {
    Result encrypted;
    try {
      encrypted = encryptedValue(work, result, encryption);
    } catch (RuntimeException e) { // of the keys, which may belong to the application
      return retry(
          work, "performed, but its result could not be encrypted", e.getClass().getName(), null);
    }
    int bytes = encrypted.getSuccess().getResult().getValue().size();
    if (bytes > TaskResult.MOST_BYTES) {
      FatalFailure tooLarge = HandlerRun.tooLarge(bytes);
      return result(work)
          .setFatal(
              Result.Fatal.newBuilder().setError(text(tooLarge)).setErrorClass(classOf(tooLarge)))
          .build();
    }
    return encrypted;
  }

  private static Result encryptedValue(Work work, Result result, MessageEncryption encryption) {
    if (!encryption.isOn()) {
      return result;
    }
    Result.Builder encrypted = result.toBuilder();
    byte[] plain = result.getSuccess().getResult().getValue().toByteArray();
    encrypted
        .getSuccessBuilder()
        .getResultBuilder()
        .setValue(
            UnsafeByteOperations.unsafeWrap(
                encryption.encryptedResult(target(work), work.getId(), plain)));
    return encrypted.build();
  }

  private static Result encryptedTexts(Work work, Result result, MessageEncryption encryption) {
    if (!encryption.isOn()) {
      return result;
    }
    PayloadTarget target = target(work);
    String task = work.getId();
    Result.Builder encrypted = result.toBuilder();
    if (result.hasRetryLater()) {
      Result.RetryLater later = result.getRetryLater();
      encrypted
          .getRetryLaterBuilder()
          .setError(encryption.encryptedError(target, task, later.getError()))
          .setStack(encryption.encryptedStack(target, task, later.getStack()));
    } else if (result.hasFatal()) {
      Result.Fatal fatal = result.getFatal();
      encrypted
          .getFatalBuilder()
          .setError(encryption.encryptedError(target, task, fatal.getError()))
          .setStack(encryption.encryptedStack(target, task, fatal.getStack()));
    }
    return encrypted.build();
  }

  private static PayloadTarget target(Work work) {
    return PayloadTarget.handler(work.getHandler());
  }

  private static Result redacted(Work work, Result result, Reporting reporting) {
    Result.Builder redacted = result.toBuilder();
    if (result.hasRetryLater()) {
      Result.RetryLater later = result.getRetryLater();
      ReportedError error =
          redacted(
              reporting.redaction,
              new ReportedError(
                  work.getHandler(), later.getErrorClass(), later.getError(), later.getStack()));
      redacted
          .getRetryLaterBuilder()
          .setErrorClass(error.errorClass())
          .setError(error.message())
          .setStack(error.stack());
    } else if (result.hasFatal()) {
      Result.Fatal fatal = result.getFatal();
      ReportedError error =
          redacted(
              reporting.redaction,
              new ReportedError(
                  work.getHandler(), fatal.getErrorClass(), fatal.getError(), fatal.getStack()));
      redacted
          .getFatalBuilder()
          .setErrorClass(error.errorClass())
          .setError(error.message())
          .setStack(error.stack());
    }
    return redacted.build();
  }

  private static ReportedError redacted(ErrorRedaction redaction, ReportedError error) {
    try {
      ReportedError redacted = redaction.redact(error);
      return new ReportedError(
          error.handler(),
          cut(redacted.errorClass(), MOST_CLASS),
          cut(redacted.message(), MOST_TEXT),
          cut(redacted.stack(), MOST_STACK));
    } catch (RuntimeException e) { // of the application; the result must go out all the same
      return new ReportedError(
          error.handler(),
          error.errorClass(),
          "the error is withheld, because it could not be redacted: " + e.getClass().getName(),
          "");
    }
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
      Work work,
      @Nullable CancelReason reason,
      @Nullable Throwable thrown,
      @Nullable TaskResult value) {
    if (reason == CancelReason.EXECUTION_TIMEOUT) {
      return retry(work, "execution timeout", "execution timeout", null);
    }
    if (thrown == null) {
      return result(work).setSuccess(success(value)).build();
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
          .setFatal(
              Result.Fatal.newBuilder()
                  .setError(text(thrown))
                  .setErrorClass(classOf(thrown))
                  .setStack(stackOf(thrown)))
          .build();
    }
    Duration delay =
        thrown instanceof RetryLater later
            ? later.delay().map(AttemptResults::inRange).orElse(null)
            : null;
    Result failed = retry(work, text(thrown), classOf(thrown), delay);
    Result.Builder withStack = failed.toBuilder();
    withStack.getRetryLaterBuilder().setStack(stackOf(thrown));
    return withStack.build();
  }

  private static Result.Success success(@Nullable TaskResult value) {
    return value == null
        ? Result.Success.getDefaultInstance()
        : Result.Success.newBuilder()
            .setResult(
                io.kairos.api.v1.TaskResult.newBuilder()
                    .setValue(UnsafeByteOperations.unsafeWrap(value.buffer()))
                    .setContentType(value.contentType()))
            .build();
  }

  /**
   * Returns the stack traces of an exception and its causes, of which the beginning is kept. A
   * RetryLater or FatalFailure says what the handler means: of these only the causes count.
   */
  private static String stackOf(Throwable thrown) {
    if (thrown instanceof RetryLater later && !later.stack().isEmpty()) {
      return cut(later.stack(), MOST_STACK);
    }
    if (thrown instanceof FatalFailure fatal && !fatal.stack().isEmpty()) {
      return cut(fatal.stack(), MOST_STACK);
    }
    StringBuilder stack = new StringBuilder();
    Throwable at = isOurs(thrown) ? thrown.getCause() : thrown;
    for (int i = 0; at != null && i < MOST_CAUSES && stack.length() < MOST_STACK; i++) {
      stack.append(stack.length() == 0 ? "" : "Caused by: ").append(at).append('\n');
      StackTraceElement[] frames = at.getStackTrace();
      for (int j = 0; j < Math.min(frames.length, MOST_FRAMES); j++) {
        stack.append("\tat ").append(frames[j]).append('\n');
      }
      if (frames.length > MOST_FRAMES) {
        stack.append("\t... ").append(frames.length - MOST_FRAMES).append(" more\n");
      }
      at = at.getCause();
    }
    return cut(stack.toString(), MOST_STACK);
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
