package io.kairos.server.edge;

import io.kairos.engine.delay.MessageEdge;
import io.kairos.engine.poll.Polling;
import io.kairos.engine.schedule.ScheduleEdge;
import io.kairos.engine.task.TaskEdge;
import io.kairos.server.push.PoolEdge;
import java.util.Optional;

/** What the edge shows of a node. Called by the edge's threads at any time; must not block. */
public interface NodeView extends ProcessView {
  /** What takes calls of applications and workers; empty until the node can work. */
  Optional<TaskEdge> tasks();

  /** What takes tasks whose destination is a topic; empty until the node can work. */
  Optional<MessageEdge> messages();

  /** What takes calls for schedules; empty until the node can work. */
  Optional<ScheduleEdge> schedules();

  /** What pools are set up by; empty until the node can work, and where it has none. */
  default Optional<PoolEdge> pools() {
    return Optional.empty();
  }

  /** What whoever polls the node talks to; empty while a poll would find it unable to act. */
  default Optional<Polling> polling() {
    return Optional.empty();
  }
}
