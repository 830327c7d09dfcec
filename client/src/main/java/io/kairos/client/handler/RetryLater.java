package io.kairos.client.handler;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Thrown by a handler when the attempt failed and the task should be retried later. */
public final class RetryLater extends RuntimeException {
  private static final long serialVersionUID = 3;

  private final @Nullable Duration delay;
  private final @Nullable String errorClass;
  private final String stack;

  /** Requests a retry after the backoff of the task's retry policy. */
  public RetryLater(String error) {
    this(error, null, null);
  }

  public RetryLater(String error, Duration delay) {
    this(error, delay, null);
  }

  public RetryLater(String error, @Nullable Duration delay, @Nullable Throwable cause) {
    this(error, delay, cause, null);
  }

  /**
   * @param errorClass the class of an error that is no exception of this process, empty for none;
   *     null for that of the cause
   */
  public RetryLater(
      String error,
      @Nullable Duration delay,
      @Nullable Throwable cause,
      @Nullable String errorClass) {
    this(error, delay, cause, errorClass, "");
  }

  /**
   * @param errorClass the class of an error that is no exception of this process, empty for none;
   *     null for that of the cause
   * @param stack where that error was thrown; empty for none
   */
  public RetryLater(
      String error,
      @Nullable Duration delay,
      @Nullable Throwable cause,
      @Nullable String errorClass,
      String stack) {
    super(error, cause);
    this.delay = delay;
    this.errorClass = errorClass;
    this.stack = stack;
  }

  /** Where an error was thrown that is no exception of this process; empty for none. */
  public String stack() {
    return stack;
  }

  /** The class of the error where the handler has said it. */
  public Optional<String> errorClass() {
    return Optional.ofNullable(errorClass);
  }

  /** Wait before the retry; empty for the backoff of the retry policy. */
  public Optional<Duration> delay() {
    return Optional.ofNullable(delay);
  }
}
