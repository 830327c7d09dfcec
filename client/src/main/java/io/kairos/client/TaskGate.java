package io.kairos.client;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Tasks that do not begin.
 *
 * @param collection empty for all tasks of the handler
 * @param drops whether they end as cancelled, or wait
 * @param until when it lifts itself; null when it does not
 * @param note why, for people
 * @param since when it was closed; null before the node has said so
 */
public record TaskGate(
    String handler,
    String collection,
    boolean drops,
    @Nullable Instant until,
    String note,
    @Nullable Instant since) {
  /** Tasks of a handler wait until the gate is lifted. */
  public static TaskGate pause(String handler) {
    return new TaskGate(handler, "", false, null, "", null);
  }

  /** Tasks of a handler end as cancelled until the gate is lifted. */
  public static TaskGate drop(String handler) {
    return new TaskGate(handler, "", true, null, "", null);
  }

  /** Only for tasks of this collection. */
  public TaskGate of(String newCollection) {
    return new TaskGate(handler, newCollection, drops, until, note, since);
  }

  /** Lifts itself then. */
  public TaskGate until(Instant end) {
    return new TaskGate(handler, collection, drops, end, note, since);
  }

  /** Says why. */
  public TaskGate because(String newNote) {
    return new TaskGate(handler, collection, drops, until, newNote, since);
  }
}
