package io.kairos.model.task;

import io.kairos.domain.task.FencedTask;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.TaskResult;
import io.kairos.domain.task.TaskState;
import io.kairos.domain.task.graph.GraphEdge;
import io.kairos.engine.task.port.NewTask;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Observes every change of a {@link ModelTaskStore}, row by row, whichever call made it. Checkers
 * judge by it. Called within the change; must not call the store.
 */
public interface TaskStoreObserver {
  TaskStoreObserver NONE = new TaskStoreObserver() {};

  /** The tasks of a schedule that are inserted next wait for others, and for each other. */
  default void awaiting(List<GraphEdge> edges) {}

  default void inserted(Row row) {}

  default void changed(Row before, Row after) {}

  /** An ended task was pruned. */
  default void forgotten(Row row) {}

  /**
   * A task as it is at one moment.
   *
   * @param task as it was asked for, by whoever has replaced it last
   * @param triggerMicros of a finished one without meaning
   */
  record Row(
      TaskId id,
      NewTask task,
      TaskState state,
      @Nullable String holder,
      long fence,
      int attempt,
      long dueMicros,
      long triggerMicros,
      boolean cancelRequested,
      TaskResult result) {
    public FencedTask fenced() {
      return new FencedTask(id, fence);
    }
  }
}
