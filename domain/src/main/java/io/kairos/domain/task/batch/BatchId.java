package io.kairos.domain.task.batch;

import static java.util.Objects.requireNonNull;

import io.kairos.domain.task.TaskId;
import java.util.UUID;

/** Identity of a batch: a UUIDv7, as that of a task. */
public record BatchId(UUID value) implements Comparable<BatchId> {
  public BatchId {
    requireNonNull(value, "value");
  }

  /** The batch as what a task waits for: in the graph of tasks it stands where a task would. */
  public TaskId asPredecessor() {
    return new TaskId(value);
  }

  @Override
  public int compareTo(BatchId other) {
    return asPredecessor().compareTo(other.asPredecessor());
  }

  @Override
  public String toString() {
    return value.toString();
  }
}
