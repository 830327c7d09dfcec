package io.kairos.client.error;

import org.jspecify.annotations.Nullable;

/** No node answered in time, even after the client's own retries. */
public final class NodesUnavailableException extends KairosException {
  private static final long serialVersionUID = 1;

  private final boolean mayHaveTakenEffect;

  public NodesUnavailableException(
      String message, boolean mayHaveTakenEffect, @Nullable Throwable cause) {
    super(message, cause);
    this.mayHaveTakenEffect = mayHaveTakenEffect;
  }

  /**
   * True when the request may have been accepted although its answer was lost. Repeating a schedule
   * call may then make a second task.
   */
  public boolean mayHaveTakenEffect() {
    return mayHaveTakenEffect;
  }
}
