package io.kairos.engine.task.port;

import io.kairos.domain.task.HandlerName;
import io.kairos.domain.task.KeyId;
import org.jspecify.annotations.Nullable;

/**
 * Which keys to list.
 *
 * @param handler null for all
 * @param after only keys with a greater number; null for the first
 * @param limit at most this many
 */
public record KeyQuery(@Nullable HandlerName handler, @Nullable KeyId after, int limit) {
  public KeyQuery {
    if (limit < 1) {
      throw new IllegalArgumentException("a list needs a limit");
    }
  }
}
