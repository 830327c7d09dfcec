package io.kairos.simulator.task;

import io.kairos.engine.task.port.SweptEdges;
import io.kairos.engine.task.port.TaskStore;
import io.kairos.model.task.TaskStoreCalls;
import java.util.Optional;

/**
 * Stores that are broken on purpose in a way that only simulations with many graphs find soon; the
 * others are in {@link TaskMutant}.
 */
@SuppressWarnings({"UnusedMethod", "UnusedVariable"}) // found by its name, as the store's
public enum GraphMutant implements TaskWiring {
  /** Nobody finds out that a predecessor was removed from the history. */
  EDGES_NOT_SWEPT {
    @Override
    public TaskStore tasks(TaskStore store) {
      return TaskStoreCalls.overridden(
          TaskStore.class,
          store,
          new Object() {
            public SweptEdges sweepEdges(Optional<SweptEdges.Position> after, int limit) {
              return SweptEdges.NONE;
            }
          });
    }
  }
}
