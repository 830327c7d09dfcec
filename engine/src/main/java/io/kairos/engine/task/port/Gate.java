package io.kairos.engine.task.port;

import io.kairos.domain.task.CollectionName;
import io.kairos.domain.task.TaskHandler;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Tasks that are not to begin (DA-4): of a handler, or of one collection of it.
 *
 * @param collection null for the whole handler
 * @param until when it lifts itself, by the store's clock; null for not before somebody lifts it
 * @param note why, for people
 */
public record Gate(
    TaskHandler handler,
    @Nullable CollectionName collection,
    Mode mode,
    @Nullable Instant until,
    String note) {
  /** What becomes of tasks that do not begin. */
  public enum Mode {
    /** They wait until the gate is lifted. */
    PAUSE,
    /** They end as cancelled, as do those that are accepted in the meantime. */
    DROP
  }

  /** A gate and when it was closed. */
  public record Closed(Gate gate, Instant since) {}
}
