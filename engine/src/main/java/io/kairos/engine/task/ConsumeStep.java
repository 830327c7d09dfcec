package io.kairos.engine.task;

import io.kairos.domain.node.NodeId;
import io.kairos.domain.task.FencedTask;
import io.kairos.domain.task.QueueId;
import io.kairos.engine.loop.Next;
import io.kairos.engine.loop.Step;
import io.kairos.engine.task.port.EnqueueRequest;
import io.kairos.engine.task.port.EnqueuedTask;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;

/**
 * ATF's store consumer (DA-14, DA-18): polls the store for tasks whose trigger comes and puts them
 * on this node's queues, as many as there is room for, and only of handlers that a worker of this
 * node asks for. What nobody asks for any more it gives back, and what would lie here for long.
 */
final class ConsumeStep implements Step {
  private final TaskConfig config;
  private final TaskPorts ports;
  private final QueueNumbers numbers;
  private final Queues queues;

  /** No longer in memory, and not yet given back in the store. */
  private final Queue<EnqueuedTask> leaving = new ArrayDeque<>();

  private final Strays strays;

  /** How many this round has put on queues. */
  private int taken;

  ConsumeStep(TaskConfig config, TaskPorts ports, QueueNumbers numbers, Queues queues) {
    this.config = config;
    this.ports = ports;
    this.numbers = numbers;
    this.queues = queues;
    this.strays = new Strays(config, ports, queues);
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
    leaving.addAll(queues.superfluous());
    taken = 0;
    boolean more;
    try {
      release();
      strays.tend(present.get());
    } finally {
      numbers.refresh();
      more = consume(present.get());
    }
    Next next = more || !leaving.isEmpty() ? Next.AT_ONCE : Next.after(config.pollInterval());
    return next.having(taken);
  }

  /** A batch a round. What the store does not answer is tried again: fences make that harmless. */
  private void release() {
    List<FencedTask> batch =
        leaving.stream().limit(config.maxBatch()).map(EnqueuedTask::task).toList();
    if (!batch.isEmpty()) {
      ports.tasks().release(batch, config.enqueueTimeout());
      batch.forEach(_ -> leaving.remove());
    }
  }

  /** Returns whether the store has more and this node ample room. */
  private boolean consume(NodeId node) {
    Queues.Room room = queues.room();
    boolean more = consume(node, room.dueOnly(), room.bytes(), Duration.ZERO);
    more |= consume(node, room.ahead(), room.bytesAhead(), config.horizon());
    return more;
  }

  private boolean consume(
      NodeId node, Map<QueueId, Integer> limits, long maxBytes, Duration ahead) {
    if (limits.isEmpty()) {
      return false;
    }
    EnqueueRequest request =
        new EnqueueRequest(node, limits, maxBytes, ahead, config.enqueueTimeout());
    List<EnqueuedTask> tasks = queues.doubting(() -> ports.tasks().enqueue(request));
    taken += tasks.size();
    return queues.offer(tasks, limits, maxBytes);
  }
}
