package io.kairos.client;

import org.jspecify.annotations.Nullable;

/** The API token is missing, unknown, or has not the role that this call needs. */
public final class AccessDeniedException extends KairosException {
  private static final long serialVersionUID = 1;

  AccessDeniedException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
