package io.kairos.client.error;

import org.jspecify.annotations.Nullable;

/** The API token is missing or unknown, or lacks the role that the call needs. */
public final class AccessDeniedException extends KairosException {
  private static final long serialVersionUID = 1;

  public AccessDeniedException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
