package io.kairos.engine.task.port;

import io.kairos.engine.task.port.batch.BatchStore;
import io.kairos.engine.task.port.operator.TaskOperatorStore;

/**
 * Stores live tasks and the history of ended tasks; a task's data and its next trigger are in one
 * row. Every method is atomic, and durable when it returns. Every method may throw {@link
 * io.kairos.engine.node.StoreUnavailable} and may then have taken effect. Thread-safe. The store's
 * clock decides all triggers and due times, so a task is never enqueued earlier than {@link
 * EnqueueRequest#ahead} before its due time by that clock.
 */
public interface TaskStore extends TaskStepStore, TaskOperatorStore, BatchStore {
  /** Failures that are kept of a task, the latest. */
  int MOST_FAILURES = 100;

  /** Failures of a task of which stacks are kept, the latest. */
  int MOST_STACKS = 10;
}
