package io.kairos.engine.task;

import io.kairos.domain.node.NodeId;
import io.kairos.domain.task.FencedTask;
import io.kairos.domain.task.queue.QueueId;
import io.kairos.engine.loop.NextRound;
import io.kairos.engine.task.memory.TaskQueues;
import io.kairos.engine.task.port.EnqueueRequest;
import io.kairos.engine.task.port.EnqueuedTask;
import io.kairos.engine.task.port.FairEnqueueRequest;
import io.kairos.engine.task.port.FairEnqueueResult;
import io.kairos.engine.task.setup.TaskConfig;
import io.kairos.engine.task.setup.TaskPorts;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;

/**
 * The store consumer: polls the store for tasks that are due or will be within the horizon, and
 * puts them on this node's queues, as far as there is room. Takes only tasks of handlers that a
 * worker of this node asks for. Gives back tasks that no worker asks for any more, and tasks that
 * would stay here for long.
 */
final class ConsumeStep {
  private final TaskConfig config;
  private final TaskPorts ports;
  private final QueueNumbers numbers;
  private final TaskQueues queues;

  /** Tasks that have left memory and are not yet given back in the store. */
  private final Queue<EnqueuedTask> leaving = new ArrayDeque<>();

  private final StrayTasks strays;

  /** Number of tasks that this round has put on queues. */
  private int taken;

  ConsumeStep(TaskConfig config, TaskPorts ports, QueueNumbers numbers, TaskQueues queues) {
    this.config = config;
    this.ports = ports;
    this.numbers = numbers;
    this.queues = queues;
    this.strays = new StrayTasks(config, ports, queues);
  }

  NextRound runOnce() {
    Optional<NodeId> present = ports.life().get();
    if (present.isEmpty()) {
      return NextRound.after(config.pollInterval());
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
    NextRound next =
        more || !leaving.isEmpty() ? NextRound.AT_ONCE : NextRound.after(config.pollInterval());
    return next.having(taken);
  }

  /** Gives back one batch per round. A failed call is retried, which fences make idempotent. */
  private void release() {
    List<FencedTask> batch =
        leaving.stream().limit(config.maxBatch()).map(EnqueuedTask::task).toList();
    if (!batch.isEmpty()) {
      ports.tasks().release(batch, config.enqueueTimeout());
      batch.forEach(_ -> leaving.remove());
    }
  }

  /** Returns true when the store may have more tasks and this node ample room for them. */
  private boolean consume(NodeId node) {
    TaskQueues.Room room = queues.room();
    boolean more = consume(node, room.dueOnly(), room.bytes(), Duration.ZERO);
    more |= consume(node, room.ahead(), room.bytesAhead(), config.horizon());
    for (QueueId queue : queues.fair()) {
      more |= consumeFairly(node, queue);
    }
    return more;
  }

  /**
   * Asks for tasks of a queue whose fairness keys take turns: first for those of keys that have
   * less than their share in memory, then for those of all keys, while there is room.
   */
  private boolean consumeFairly(NodeId node, QueueId queue) {
    TaskQueues.FairRoom room = queues.fairRoom(queue);
    int before = taken;
    boolean more = consumeFairly(node, queue, room, room.others(), room.full());
    if (!room.full().isEmpty()) {
      more |= consumeFairly(node, queue, room, room.all() - (taken - before), Set.of());
    }
    return more;
  }

  private boolean consumeFairly(
      NodeId node, QueueId queue, TaskQueues.FairRoom room, int most, Set<String> without) {
    if (most <= 0) {
      return false;
    }
    FairEnqueueRequest request =
        new FairEnqueueRequest(
            node,
            queue,
            most,
            room.bytes(),
            without,
            room.after(),
            room.isAhead() ? config.horizon() : Duration.ZERO,
            config.enqueueTimeout());
    FairEnqueueResult result = queues.doubting(() -> ports.tasks().enqueueFairly(request));
    taken += result.tasks().size();
    return queues.offerFair(request, result);
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
