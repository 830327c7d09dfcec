package io.kairos.engine.task.port;

import io.kairos.domain.task.KeyId;
import io.kairos.domain.task.TaskHandler;
import org.jspecify.annotations.Nullable;

/**
 * Which keys to list.
 *
 * @param handler null for all
 * @param after only those that follow in the list; null for the first
 * @param limit at most this many
 */
public record KeyQuery(@Nullable TaskHandler handler, @Nullable Place after, int limit) {
  public KeyQuery {
    if (limit < 1) {
      throw new IllegalArgumentException("a list needs a limit");
    }
  }

  /** Where a key stands in the list: by its reason, then by its number. */
  public record Place(StuckKey.Reason reason, KeyId key) {}
}
