package io.kairos.client.error;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The node accepts no more for now, because a quota or a bound is used up, even after the client's
 * own retries. Nothing was done.
 */
public final class QuotaExceededException extends KairosException {
  private static final long serialVersionUID = 1;

  private final @Nullable Duration retryAfter;

  public QuotaExceededException(
      String message, @Nullable Duration retryAfter, @Nullable Throwable cause) {
    super(message, cause);
    this.retryAfter = retryAfter;
  }

  /** How long to wait before another call; empty when the node did not say. */
  public Optional<Duration> retryAfter() {
    return Optional.ofNullable(retryAfter);
  }
}
