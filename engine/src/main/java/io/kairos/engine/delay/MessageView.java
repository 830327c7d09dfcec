package io.kairos.engine.delay;

import io.kairos.domain.task.queue.MessageOutput;
import org.jspecify.annotations.Nullable;

/**
 * A message as the store knows it.
 *
 * @param route the name of its route
 * @param stored null when it is not stored: it was sent or cancelled, or there was none
 */
public record MessageView(String route, @Nullable Stored stored) {
  /**
   * A message that waits.
   *
   * @param isReady true while a node holds it
   */
  public record Stored(long dueMicros, MessageOutput output, boolean isReady) {}
}
