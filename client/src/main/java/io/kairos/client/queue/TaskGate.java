package io.kairos.client.queue;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A gate, which keeps tasks of a handler or collection from beginning.
 *
 * @param collection empty for all tasks of the handler
 * @param drops true when the tasks end as cancelled, false when they wait
 * @param until when the gate lifts itself; null for never
 * @param note reason, for operators
 * @param since when the gate was closed; null in requests
 */
public record TaskGate(
    String handler,
    String collection,
    boolean drops,
    @Nullable Instant until,
    String note,
    @Nullable Instant since) {
  /** Returns a gate that makes tasks of a handler wait until it is lifted. */
  public static TaskGate pause(String handler) {
    return new TaskGate(handler, "", false, null, "", null);
  }

  /** Returns a gate that cancels tasks of a handler until it is lifted. */
  public static TaskGate drop(String handler) {
    return new TaskGate(handler, "", true, null, "", null);
  }

  /** Returns this gate for tasks of one collection only. */
  public TaskGate of(String newCollection) {
    return new TaskGate(handler, newCollection, drops, until, note, since);
  }

  /** Returns this gate with a time at which it lifts itself. */
  public TaskGate until(Instant end) {
    return new TaskGate(handler, collection, drops, end, note, since);
  }

  /** Returns this gate with a note, the reason. */
  public TaskGate because(String newNote) {
    return new TaskGate(handler, collection, drops, until, newNote, since);
  }
}
