package io.kairos.client.opentelemetry;

import io.kairos.client.handler.CancelReason;
import io.kairos.client.handler.FatalFailure;
import io.kairos.client.handler.NotBegun;
import io.kairos.client.handler.RetryLater;
import io.kairos.client.handler.Snooze;
import io.kairos.client.handler.TaskContext;
import io.opentelemetry.api.trace.Span;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CancellationException;

/**
 * How an attempt ended without success, as the worker reports it.
 *
 * @param reason why the attempt was cancelled; empty when it was not
 */
record AttemptFailure(Throwable thrown, Optional<CancelReason> reason, Outcome outcome) {
  /** Value of the attribute {@code kairos.outcome}; a cancel is no error. */
  enum Outcome {
    /** The handler did not begin the task. */
    NOT_BEGUN(false),
    /** The handler put the task off. */
    SNOOZED(false),
    /** The handler gave in to a cancel. */
    CANCELLED(false),
    /** The task fails for good. */
    FATAL(true),
    /** The task is retried by its retry policy. */
    RETRY_LATER(true);

    private final boolean isError;

    Outcome(boolean isError) {
      this.isError = isError;
    }
  }

  static AttemptFailure of(Throwable thrown, TaskContext context) {
    Optional<CancelReason> reason = context.cancelReason();
    return new AttemptFailure(thrown, reason, outcome(thrown, reason));
  }

  private static Outcome outcome(Throwable thrown, Optional<CancelReason> reason) {
    if (thrown instanceof NotBegun) {
      return Outcome.NOT_BEGUN;
    }
    if (thrown instanceof Snooze) {
      return Outcome.SNOOZED;
    }
    boolean gaveIn =
        thrown instanceof CancellationException || thrown instanceof InterruptedException;
    if (gaveIn && reason.isPresent() && reason.get() != CancelReason.EXECUTION_TIMEOUT) {
      return Outcome.CANCELLED;
    }
    return thrown instanceof FatalFailure ? Outcome.FATAL : Outcome.RETRY_LATER;
  }

  /** Notes the failure on the span of the attempt. */
  void record(Span span) {
    span.setAttribute(TaskAttributes.OUTCOME, outcome.name().toLowerCase(Locale.ROOT));
    reason.ifPresent(why ->
        span.setAttribute(TaskAttributes.CANCEL_REASON, why.name().toLowerCase(Locale.ROOT)));
    if (thrown instanceof RetryLater later) {
      later
          .delay()
          .ifPresent(wait -> span.setAttribute(TaskAttributes.RETRY_DELAY, wait.toMillis()));
    }
    if (thrown instanceof Snooze snooze) {
      span.setAttribute(TaskAttributes.RETRY_DELAY, snooze.delay().toMillis());
    }
    if (outcome.isError) {
      TaskAttributes.failed(span, thrown);
    }
  }
}
