package io.kairos.client;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The node takes no more of this for now, also after the client's own repeats. Nothing was done.
 */
public final class QuotaExceededException extends KairosException {
  private static final long serialVersionUID = 1;

  private final @Nullable Duration retryAfter;

  QuotaExceededException(String message, @Nullable Duration retryAfter, @Nullable Throwable cause) {
    super(message, cause);
    this.retryAfter = retryAfter;
  }

  /** How long the node asks to wait. */
  public Optional<Duration> retryAfter() {
    return Optional.ofNullable(retryAfter);
  }
}
