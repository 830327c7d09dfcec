package io.kairos.server.edge.task;

import io.kairos.engine.task.TaskEdge;
import io.kairos.server.edge.refusal.Refusals;
import java.util.Optional;
import java.util.function.Supplier;

/** The node's tasks, as soon as there are any: the edge listens before that. */
public record ReadyNode(Supplier<Optional<TaskEdge>> tasks) {
  /** Refuses while the node is not ready. */
  TaskEdge get() {
    return tasks.get().orElseThrow(Refusals::notReady);
  }
}
