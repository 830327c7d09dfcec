package io.kairos.engine.task;

import io.kairos.engine.task.port.batch.CountedBatches;
import io.kairos.engine.task.setup.TaskPorts;
import java.time.Duration;

/**
 * Counts ends of batches for the step {@code follow-ends}, once a second, or at once when a round
 * could not look at all. It is not done in each round of that step, because it may wait for half a
 * second for those who begin to wait for a batch, and when it fails, as long as a statement may
 * take. Called on that step's thread alone.
 */
final class BatchCounting {
  private static final Duration EVERY = Duration.ofSeconds(1);
  private static final Duration AFTER_FAILURE = Duration.ofSeconds(5);
  private static final CountedBatches NOTHING = new CountedBatches(0, 0, false);

  private final TaskPorts ports;
  private long dueNanos;

  BatchCounting(TaskPorts ports) {
    this.ports = ports;
    this.dueNanos = ports.monotonic().nanos();
  }

  /** Counts if it is time to, at most so many ends and batches. */
  CountedBatches run(int limit) {
    if (untilDue().isPositive()) {
      return NOTHING;
    }
    Duration next = AFTER_FAILURE;
    try {
      CountedBatches counted = ports.tasks().countBatches(limit);
      next = counted.hasMore() ? Duration.ZERO : EVERY;
      return counted;
    } finally {
      dueNanos = ports.monotonic().nanos() + next.toNanos();
    }
  }

  /** The time until the next count; not positive when it is due. */
  Duration untilDue() {
    return Duration.ofNanos(dueNanos - ports.monotonic().nanos());
  }
}
