package io.kairos.client.error;

import org.jspecify.annotations.Nullable;

/**
 * No node of the client knows the call, because all are older than the client or serve something
 * else, such as the replicas of a replicated cron. The message names their addresses. Nothing was
 * done.
 */
public final class UnknownMethodException extends KairosException {
  private static final long serialVersionUID = 1;

  public UnknownMethodException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
