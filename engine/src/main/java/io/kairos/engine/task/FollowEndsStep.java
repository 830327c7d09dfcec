package io.kairos.engine.task;

import io.kairos.engine.loop.NextRound;
import io.kairos.engine.task.setup.TaskConfig;
import io.kairos.engine.task.setup.TaskPorts;
import java.time.Duration;

/**
 * Tells successors of ended tasks what the transaction that ended them has left: more than it may
 * ready, failures and cancels, which go from successor to successor, and tasks that were locked.
 * First it ends batches whose tasks have all ended, so that whoever waits for one is told in this
 * round. Rounds follow each other at once while there is something to tell, or more to count than
 * one round may. Safe to run on every node at once.
 */
final class FollowEndsStep {
  private static final Duration EVERY = Duration.ofSeconds(1);

  private final TaskConfig config;
  private final TaskPorts ports;

  FollowEndsStep(TaskConfig config, TaskPorts ports) {
    this.config = config;
    this.ports = ports;
  }

  NextRound runOnce() {
    int counted = ports.tasks().countBatches(config.maxBatch());
    int followed = ports.tasks().followEnds(config.maxBatch());
    boolean isMore = followed > 0 || counted >= config.maxBatch();
    return (isMore ? NextRound.AT_ONCE : NextRound.after(EVERY)).having(counted + followed);
  }
}
