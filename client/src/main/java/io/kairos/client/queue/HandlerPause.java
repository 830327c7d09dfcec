package io.kairos.client.queue;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A pause keeps tasks of a handler, or of one of its collections, from beginning.
 *
 * @param collection empty for all tasks of the handler
 * @param drops true when the tasks end as cancelled, false when they wait
 * @param until when the pause ends by itself; null for never
 * @param note reason, for operators
 * @param since when the pause began; null in requests
 */
public record HandlerPause(
    String handler,
    String collection,
    boolean drops,
    @Nullable Instant until,
    String note,
    @Nullable Instant since) {
  /** Returns a pause during which the tasks of a handler wait. */
  public static HandlerPause pause(String handler) {
    return new HandlerPause(handler, "", false, null, "", null);
  }

  /** Returns a pause during which the tasks of a handler end as cancelled. */
  public static HandlerPause drop(String handler) {
    return new HandlerPause(handler, "", true, null, "", null);
  }

  /** Returns this pause for tasks of one collection only. */
  public HandlerPause of(String newCollection) {
    return new HandlerPause(handler, newCollection, drops, until, note, since);
  }

  /** Returns this pause with a time at which it ends by itself. */
  public HandlerPause until(Instant end) {
    return new HandlerPause(handler, collection, drops, end, note, since);
  }

  /** Returns this pause with a note, the reason. */
  public HandlerPause because(String newNote) {
    return new HandlerPause(handler, collection, drops, until, newNote, since);
  }
}
