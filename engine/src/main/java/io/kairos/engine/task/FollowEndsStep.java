package io.kairos.engine.task;

import io.kairos.domain.task.TaskId;
import io.kairos.engine.loop.NextRound;
import io.kairos.engine.node.StoreUnavailable;
import io.kairos.engine.task.port.FollowedEnds;
import io.kairos.engine.task.setup.TaskConfig;
import io.kairos.engine.task.setup.TaskPorts;
import java.time.Duration;
import java.util.Optional;

/**
 * Tells successors of ended tasks what the transaction that ended them has left: more than it may
 * ready, failures and cancels, which go from successor to successor, and tasks that were locked.
 * First it ends batches whose tasks have all ended, so that whoever waits for one is told in this
 * round. Goes from end to end, round after round, so that ends that cannot be followed hold up no
 * others; a failure fails a round only when nothing was followed in it. Rounds follow each other at
 * once while there is something to tell, or more to count than one round may. Safe to run on every
 * node at once.
 */
final class FollowEndsStep {
  private static final Duration EVERY = Duration.ofSeconds(1);

  private final TaskConfig config;
  private final TaskPorts ports;
  private final Runnable readied;

  /** The last end of the previous round; empty to begin with the first end. */
  private Optional<TaskId> followed = Optional.empty();

  /**
   * @param readied called when tasks may be ready that no node has in memory
   */
  FollowEndsStep(TaskConfig config, TaskPorts ports, Runnable readied) {
    this.config = config;
    this.ports = ports;
    this.readied = readied;
  }

  NextRound runOnce() {
    int counted = 0;
    StoreUnavailable uncounted = null;
    try {
      counted = ports.tasks().countBatches(config.maxBatch());
    } catch (StoreUnavailable e) {
      uncounted = e;
    }
    FollowedEnds some = ports.tasks().followEnds(followed, config.maxBatch());
    followed = Optional.ofNullable(some.last());
    if (some.found() > 0) {
      readied.run();
    } else {
      some.throwFailure();
      if (uncounted != null) {
        throw uncounted;
      }
    }
    boolean hasMore = some.found() > 0 || followed.isPresent() || counted >= config.maxBatch();
    return (hasMore ? NextRound.AT_ONCE : NextRound.after(EVERY)).having(counted + some.found());
  }
}
