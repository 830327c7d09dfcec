package io.kairos.engine.task;

import io.kairos.domain.task.TaskId;
import io.kairos.engine.loop.NextRound;
import io.kairos.engine.task.memory.TaskQueues;
import io.kairos.engine.task.port.EnqueueRequest;
import io.kairos.engine.task.port.FollowedEnds;
import io.kairos.engine.task.port.batch.CountedBatches;
import io.kairos.engine.task.setup.TaskConfig;
import io.kairos.engine.task.setup.TaskPorts;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Tells successors of ended tasks what the transaction that ended them has left: more than it may
 * ready, failures and cancels, which go from successor to successor, and tasks that were locked.
 * Successors that are ready come into memory at once if a worker of this node asks for them. Then,
 * once a second, it ends batches whose tasks have all ended; whoever waits for one is told in the
 * round that follows at once. Goes from end to end, round after round, so that ends that cannot be
 * followed hold up no others; such a failure fails a round only when nothing was followed in it,
 * and a failure to count fails it in any case. Rounds follow each other at once while there is
 * something to tell, or more to count than one round may. Safe to run on every node at once.
 */
final class FollowEndsStep {
  private static final Duration EVERY = Duration.ofSeconds(1);

  private final TaskConfig config;
  private final TaskPorts ports;
  private final TaskQueues queues;
  private final Supplier<@Nullable EnqueueRequest> room;
  private final Runnable readied;
  private final BatchCounting counting;

  /** The last end of the previous round; empty to begin with the first end. */
  private Optional<TaskId> followed = Optional.empty();

  /**
   * @param room that for successors that are ready; null while this node may hold none
   * @param readied called when tasks may be ready that no node has in memory
   */
  FollowEndsStep(
      TaskConfig config,
      TaskPorts ports,
      TaskQueues queues,
      Supplier<@Nullable EnqueueRequest> room,
      Runnable readied) {
    this.config = config;
    this.ports = ports;
    this.queues = queues;
    this.room = room;
    this.readied = readied;
    this.counting = new BatchCounting(ports);
  }

  NextRound runOnce() {
    FollowedEnds some = follow();
    queues.offerNext(some.enqueued());
    followed = Optional.ofNullable(some.last());
    if (some.found() > 0) {
      readied.run();
    }
    CountedBatches counted = counting.run(config.maxBatch());
    if (some.found() == 0) {
      some.throwFailure();
    }
    boolean hasMore =
        some.found() > 0 || followed.isPresent() || counted.hasMore() || counted.ended() > 0;
    Duration untilCount = counting.untilDue();
    Duration wait = hasMore ? Duration.ZERO : untilCount.compareTo(EVERY) < 0 ? untilCount : EVERY;
    return NextRound.after(wait).having(some.found() + counted.done());
  }

  private FollowedEnds follow() {
    FollowedEnds some =
        queues.doubting(() -> ports.tasks().followEnds(followed, config.maxBatch(), room.get()));
    if (some.inDoubt()) {
      queues.doubt();
    }
    return some;
  }
}
