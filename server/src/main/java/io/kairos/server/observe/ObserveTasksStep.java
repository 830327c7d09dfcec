package io.kairos.server.observe;

import io.kairos.engine.loop.Next;
import io.kairos.engine.loop.Step;
import io.kairos.engine.task.TaskNode;
import java.time.Duration;

/** Looks at the queues of a node every few seconds, and at what the store says of limited ones. */
final class ObserveTasksStep implements Step {
  private static final Duration EVERY = Duration.ofSeconds(5);

  private final TaskNode node;
  private final QueueMeters meters;

  ObserveTasksStep(TaskNode node, QueueMeters meters) {
    this.node = node;
    this.meters = meters;
  }

  @Override
  public String name() {
    return "observe-tasks";
  }

  @Override
  public Next runOnce() {
    meters.turn(node.enqueuedByQueue(), node.queues().limits());
    return Next.after(EVERY);
  }
}
