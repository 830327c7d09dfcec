package io.kairos.inprocess;

import io.kairos.client.LocalNodeProvider;
import org.jspecify.annotations.Nullable;

/** A node inside an application cannot start; the message says why and what to do. */
public final class InProcessStartException extends LocalNodeProvider.StartException {
  private static final long serialVersionUID = 1L;

  InProcessStartException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
