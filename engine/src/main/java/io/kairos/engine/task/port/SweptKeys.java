package io.kairos.engine.task.port;

import io.kairos.domain.task.KeyId;
import org.jspecify.annotations.Nullable;

/**
 * What a look at some ordering keys did.
 *
 * @param last that was looked at; null after the last of all
 * @param found how much there was to do: keys that were forgotten, and queues on which tasks were
 *     woken
 */
public record SweptKeys(@Nullable KeyId last, int found) {
  public static final SweptKeys NONE = new SweptKeys(null, 0);
}
