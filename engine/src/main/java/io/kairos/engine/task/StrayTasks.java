package io.kairos.engine.task;

import io.kairos.domain.node.NodeId;
import io.kairos.domain.task.FencedTask;
import io.kairos.engine.task.memory.TaskQueues;
import io.kairos.engine.task.setup.TaskConfig;
import io.kairos.engine.task.setup.TaskPorts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Finds and gives back strays: tasks that the store shows on this node's queues but that are not in
 * memory, because the answer of the call that enqueued them was lost. Searches after such a call
 * has failed, and again one lease later, because the store may have acted after the first search. A
 * task is given back if it is still not in memory one poll interval later: until then it may be on
 * its way into memory, or to a worker. Fences make a mistake harmless. Used by the store consumer's
 * thread.
 */
final class StrayTasks {
  /** Batches read beyond the tasks in memory, more than failed calls are likely to leave behind. */
  private static final int BATCHES = 10;

  private final TaskConfig config;
  private final TaskPorts ports;
  private final TaskQueues queues;
  private List<FencedTask> suspects = List.of();
  private long lookedAtNanos;
  private boolean looksAgain;

  StrayTasks(TaskConfig config, TaskPorts ports, TaskQueues queues) {
    this.config = config;
    this.ports = ports;
    this.queues = queues;
  }

  void tend(NodeId node) {
    if (!suspects.isEmpty()) {
      if (hasBeen(config.pollInterval())) {
        giveBack();
      }
      return;
    }
    boolean isNew = queues.resolveDoubt();
    if (isNew || (looksAgain && hasBeen(config.lease()))) {
      looksAgain = isNew;
      look(node);
    }
  }

  private boolean hasBeen(Duration sinceTheLook) {
    return ports.monotonic().nanos() - lookedAtNanos >= sinceTheLook.toNanos();
  }

  private void giveBack() {
    List<FencedTask> strays = new ArrayList<>(queues.absent(suspects));
    while (!strays.isEmpty()) {
      List<FencedTask> batch = strays.subList(0, Math.min(strays.size(), config.maxBatch()));
      ports.tasks().release(List.copyOf(batch), config.enqueueTimeout());
      batch.clear();
    }
    suspects = List.of();
  }

  private void look(NodeId node) {
    int most = queues.size() + BATCHES * config.maxBatch();
    suspects = queues.absent(queues.doubting(() -> ports.tasks().enqueuedBy(node, most)));
    lookedAtNanos = ports.monotonic().nanos();
  }
}
