package io.kairos.engine.task;

import io.kairos.domain.node.NodeId;
import io.kairos.domain.task.FencedTask;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Tasks that the store has on queues of this node and that nobody hands out, because the answer was
 * lost of the call that put them there. They are looked for when such a call has failed, and once
 * more a lease later, as a store that did not answer may have acted after the first look. They are
 * given back if a poll interval later they are still not in memory: until then they may be on their
 * way into it, or out of it to a worker. Fences make it harmless to be wrong. Used by the store
 * consumer alone.
 */
final class Strays {
  /** More than failed calls are likely to leave behind. */
  private static final int BATCHES = 10;

  private final TaskConfig config;
  private final TaskPorts ports;
  private final Queues queues;
  private List<FencedTask> suspects = List.of();
  private long lookedAtNanos;
  private boolean looksAgain;

  Strays(TaskConfig config, TaskPorts ports, Queues queues) {
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
