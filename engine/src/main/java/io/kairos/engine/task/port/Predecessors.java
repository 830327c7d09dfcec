package io.kairos.engine.task.port;

import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.TaskResult;
import io.kairos.domain.task.TaskState;
import io.kairos.domain.task.queue.TaskHandler;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a task has waited for, as it is handed to the worker of the task.
 *
 * @param some predecessors by their ids, at most {@link #MOST}
 * @param isWhole false when there are more
 */
public record Predecessors(List<Predecessor> some, boolean isWhole) {
  /** Most predecessors that are handed over with a task. */
  public static final int MOST = 1_000;

  /** Most bytes of values that are handed over with a task. */
  public static final int MOST_BYTES = 256 << 10;

  /**
   * What a predecessor takes in an answer beside its value: ids, names, and how they are written.
   */
  public static final int ENTRY_BYTES = 200;

  /** Room in which there is place for all that may be handed over with a task. */
  public static final int MOST_ROOM = MOST_BYTES + MOST * ENTRY_BYTES;

  /** Those of a task that has waited for no others. */
  public static final Predecessors NONE = new Predecessors(List.of(), true);

  /** Those of a task in whose answer is no room for any. */
  public static final Predecessors LEFT_OUT = new Predecessors(List.of(), false);

  public Predecessors {
    some = List.copyOf(some);
  }

  /**
   * A task or batch that a task has waited for.
   *
   * @param handler null when it was removed from the history
   * @param state null when it was removed from the history; of a batch its end, null while it goes
   *     on again because a task of it was put back
   * @param value null when there is none, or no room for it
   * @param valueBytes length of the value, whether it is here or not
   * @param isBatch true for a batch, which has no value
   */
  public record Predecessor(
      TaskId id,
      @Nullable TaskHandler handler,
      @Nullable TaskState state,
      @Nullable TaskResult value,
      int valueBytes,
      boolean isBatch) {}

  /** Bytes that this takes in an answer. */
  public long bytes() {
    long bytes = (long) some.size() * ENTRY_BYTES;
    for (Predecessor one : some) {
      bytes += one.value == null ? 0 : one.value.value().length;
    }
    return bytes;
  }
}
