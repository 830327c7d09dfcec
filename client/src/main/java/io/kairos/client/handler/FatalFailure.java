package io.kairos.client.handler;

import org.jspecify.annotations.Nullable;

/** Thrown by a handler when a retry will not help: the task fails for good. */
public final class FatalFailure extends RuntimeException {
  private static final long serialVersionUID = 1;

  public FatalFailure(String error) {
    this(error, null);
  }

  public FatalFailure(String error, @Nullable Throwable cause) {
    super(error, cause);
  }
}
