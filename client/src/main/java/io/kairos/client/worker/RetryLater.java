package io.kairos.client.worker;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Thrown by a handler: this attempt did not work, make another one later. */
public final class RetryLater extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final @Nullable Duration delay;

  /** After the backoff of the task's retry policy. */
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

  /** Empty for the retry policy's. */
  public Optional<Duration> delay() {
    return Optional.ofNullable(delay);
  }
}
