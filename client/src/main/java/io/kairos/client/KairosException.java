package io.kairos.client;

import org.jspecify.annotations.Nullable;

/** A call to Kairos that did not succeed. The subclasses say why; this one is for all the rest. */
public class KairosException extends RuntimeException {
  private static final long serialVersionUID = 1;

  public KairosException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
