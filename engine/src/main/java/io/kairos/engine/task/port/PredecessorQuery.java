package io.kairos.engine.task.port;

import static io.kairos.domain.check.ArgumentCheck.require;

import io.kairos.domain.task.TaskId;

/**
 * A question for the predecessors of a task.
 *
 * @param bytes room for them, of which each takes {@link Predecessors#ENTRY_BYTES} and its value
 */
public record PredecessorQuery(TaskId successor, int bytes) {
  public PredecessorQuery {
    require(bytes >= Predecessors.ENTRY_BYTES, "there must be room for a predecessor");
  }

  /** Most predecessors for which there is room. */
  public int limit() {
    return Math.min(Predecessors.MOST, bytes / Predecessors.ENTRY_BYTES);
  }

  /** Most bytes of values when there are so many predecessors. */
  public long bytesOfValues(int predecessors) {
    return Math.min(
        Predecessors.MOST_BYTES, bytes - (long) predecessors * Predecessors.ENTRY_BYTES);
  }
}
