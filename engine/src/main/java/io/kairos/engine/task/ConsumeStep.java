package io.kairos.engine.task;

import io.kairos.domain.node.NodeId;
import io.kairos.domain.task.QueueId;
import io.kairos.engine.loop.Next;
import io.kairos.engine.loop.Step;
import io.kairos.engine.task.port.EnqueueRequest;
import io.kairos.engine.task.port.EnqueuedTask;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * ATF's store consumer (DA-14, DA-18): polls the store for tasks whose trigger comes and puts them
 * on this node's queues, as many as there is room for, and only of handlers that a worker of this
 * node asks for. What nobody asks for any more it gives back, and what a limit holds back for long.
 */
final class ConsumeStep implements Step {
  private final TaskConfig config;
  private final TaskPorts ports;
  private final QueueNumbers numbers;
  private final Queues queues;

  ConsumeStep(TaskConfig config, TaskPorts ports, QueueNumbers numbers, Queues queues) {
    this.config = config;
    this.ports = ports;
    this.numbers = numbers;
    this.queues = queues;
  }

  @Override
  public String name() {
    return "consume-tasks";
  }

  @Override
  public Next runOnce() {
    Optional<NodeId> present = ports.life().get();
    if (present.isEmpty()) {
      return Next.after(config.pollInterval());
    }
    queues.liveAs(present.get());
    release(queues.superfluous());
    numbers.refresh();
    return consume(present.get()) ? Next.AT_ONCE : Next.after(config.pollInterval());
  }

  private void release(List<EnqueuedTask> superfluous) {
    if (superfluous.isEmpty()) {
      return;
    }
    boolean released = false;
    try {
      ports
          .tasks()
          .release(superfluous.stream().map(EnqueuedTask::task).toList(), config.enqueueTimeout());
      released = true;
    } finally {
      if (!released) {
        queues.putBack(superfluous);
      }
    }
  }

  /** Returns whether the store has more and this node ample room. */
  private boolean consume(NodeId node) {
    Queues.Room room = queues.room();
    boolean more = consume(node, room.dueOnly(), Duration.ZERO);
    more |= consume(node, room.ahead(), config.horizon());
    return more;
  }

  private boolean consume(NodeId node, Map<QueueId, Integer> limits, Duration ahead) {
    if (limits.isEmpty()) {
      return false;
    }
    List<EnqueuedTask> tasks =
        ports
            .tasks()
            .enqueue(
                new EnqueueRequest(
                    node, limits, queues.bytesLeft(), ahead, config.enqueueTimeout()));
    return queues.offer(tasks, limits);
  }
}
