package io.kairos.engine.task.port.operator;

import io.kairos.domain.task.queue.CollectionName;
import io.kairos.domain.task.queue.TaskHandler;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Keeps tasks of a handler, or of one collection of the handler, from beginning.
 *
 * @param collection null for the whole handler
 * @param until when the pause ends by itself, by the store's clock; null when only an operator ends
 *     it
 * @param note the reason, for people
 */
public record TaskPause(
    TaskHandler handler,
    @Nullable CollectionName collection,
    Mode mode,
    @Nullable Instant until,
    String note) {
  /** The effect on tasks. */
  public enum Mode {
    /** Tasks wait until the pause ends. */
    PAUSE,
    /** Tasks end as cancelled, including those that are accepted during the pause. */
    DROP
  }

  /** A pause in force and its beginning. */
  public record Active(TaskPause pause, Instant since) {}
}
