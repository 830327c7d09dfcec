package io.kairos.client;

import org.jspecify.annotations.Nullable;

/** No node answered in time, also after the client's own repeats. */
public final class NodesUnavailableException extends KairosException {
  private static final long serialVersionUID = 1;

  private final boolean mayHaveTakenEffect;

  NodesUnavailableException(String message, boolean mayHaveTakenEffect, @Nullable Throwable cause) {
    super(message, cause);
    this.mayHaveTakenEffect = mayHaveTakenEffect;
  }

  /**
   * The request may have been accepted although its answer was lost: repeating a schedule call may
   * then make a second task.
   */
  public boolean mayHaveTakenEffect() {
    return mayHaveTakenEffect;
  }
}
