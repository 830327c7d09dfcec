package io.kairos.client.handler;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Thrown by a handler when the attempt failed and the task should be retried later. */
public final class RetryLater extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final @Nullable Duration delay;

  /** Requests a retry after the backoff of the task's retry policy. */
  public RetryLater(String error) {
    this(error, null, null);
  }

  public RetryLater(String error, Duration delay) {
    this(error, delay, null);
  }

  public RetryLater(String error, @Nullable Duration delay, @Nullable Throwable cause) {
    super(error, cause);
    this.delay = delay;
  }

  /** Wait before the retry; empty for the backoff of the retry policy. */
  public Optional<Duration> delay() {
    return Optional.ofNullable(delay);
  }
}
