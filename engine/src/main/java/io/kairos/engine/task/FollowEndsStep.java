package io.kairos.engine.task;

import io.kairos.engine.loop.NextRound;
import io.kairos.engine.task.setup.TaskConfig;
import io.kairos.engine.task.setup.TaskPorts;
import java.time.Duration;

/**
 * Tells successors of ended tasks what the transaction that ended them has left: more than it may
 * ready, failures and cancels, which go from successor to successor, and tasks that were locked.
 * Rounds follow each other at once while there is something to do. Safe to run on every node at
 * once.
 */
final class FollowEndsStep {
  private static final Duration EVERY = Duration.ofSeconds(1);

  private final TaskConfig config;
  private final TaskPorts ports;
  private final Runnable readied;

  /**
   * @param readied called when tasks may be ready that no node has in memory
   */
  FollowEndsStep(TaskConfig config, TaskPorts ports, Runnable readied) {
    this.config = config;
    this.ports = ports;
    this.readied = readied;
  }

  NextRound runOnce() {
    int found = ports.tasks().followEnds(config.maxBatch());
    if (found > 0) {
      readied.run();
    }
    return (found > 0 ? NextRound.AT_ONCE : NextRound.after(EVERY)).having(found);
  }
}
