package io.kairos.client.worker;

import org.jspecify.annotations.Nullable;

/** Thrown by a handler: no other attempt will help. */
public final class FatalFailure extends RuntimeException {
  private static final long serialVersionUID = 1;

  public FatalFailure(String error) {
    this(error, null);
  }

  public FatalFailure(String error, @Nullable Throwable cause) {
    super(error, cause);
  }
}
