package io.kairos.edge;

import io.kairos.engine.delay.MessageEdge;
import io.kairos.engine.poll.StepPolling;
import io.kairos.engine.pool.PoolEdge;
import io.kairos.engine.schedule.ScheduleEdge;
import io.kairos.engine.task.edge.TaskEdge;
import java.util.Optional;

/** The node as the edge sees it. Called by the edge's threads at any time; must not block. */
public interface NodeView extends ProcessView {
  /** Takes calls of applications and workers; empty until the node can work. */
  Optional<TaskEdge> tasks();

  /** Takes tasks whose destination is a topic; empty until the node can work. */
  Optional<MessageEdge> messages();

  /** Takes calls about schedules; empty until the node can work. */
  Optional<ScheduleEdge> schedules();

  /** Takes calls about pools; empty until the node can work, and where it has no pools. */
  default Optional<PoolEdge> pools() {
    return Optional.empty();
  }

  /** Runs the node's steps on request; empty while they cannot run. */
  default Optional<StepPolling> polling() {
    return Optional.empty();
  }
}
