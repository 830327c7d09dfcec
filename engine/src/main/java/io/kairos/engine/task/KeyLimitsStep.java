package io.kairos.engine.task;

import io.kairos.domain.task.limit.LimitName;
import io.kairos.domain.task.queue.QueueId;
import io.kairos.engine.loop.NextRound;
import io.kairos.engine.task.port.SweptLimits;
import io.kairos.engine.task.setup.TaskConfig;
import io.kairos.engine.task.setup.TaskPorts;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Wakes tasks that stand in line before limits by key where no end of an attempt does it: as tokens
 * come, after a limit was raised or removed, and when those that were woken have not come. Safe to
 * run on every node at once; nodes take turns name by name.
 */
final class KeyLimitsStep {
  private static final Duration EVERY = Duration.ofMillis(500);

  /** From some names to the next, so that many of them do not keep the store busy. */
  private static final Duration BETWEEN = Duration.ofMillis(20);

  /**
   * Long enough to clear what stands in the way in many rounds, and short for a worker's return.
   */
  private static final Duration BELIEVED = Duration.ofSeconds(5);

  private final TaskConfig config;
  private final TaskPorts ports;
  private final Consumer<Set<QueueId>> mayBegin;

  /** The last name of the previous round; null to begin with the first. */
  private @Nullable LimitName swept;

  /** Queues whose tasks do not come when they are woken, and until when that is believed. */
  private final Map<QueueId, Long> unservedUntilNanos = new HashMap<>();

  /**
   * @param mayBegin takes the queues of woken tasks
   */
  KeyLimitsStep(TaskConfig config, TaskPorts ports, Consumer<Set<QueueId>> mayBegin) {
    this.config = config;
    this.ports = ports;
    this.mayBegin = mayBegin;
  }

  NextRound runOnce() {
    long now = ports.monotonic().nanos();
    unservedUntilNanos.values().removeIf(until -> until - now <= 0);
    SweptLimits some =
        ports.tasks().sweepLimits(swept, unservedUntilNanos.keySet(), config.maxBatch());
    swept = some.last();
    some.unserved()
        .forEach(queue -> unservedUntilNanos.putIfAbsent(queue, now + BELIEVED.toNanos()));
    if (!some.queues().isEmpty()) {
      mayBegin.accept(some.queues());
    }
    some.throwFailure();
    // Tasks that are in the way are taken out of the lines in parts; each is so once.
    int changed = some.woken() + some.takenOut();
    if (some.woken() >= config.maxBatch() || some.takenOut() > 0) {
      return NextRound.AT_ONCE.having(changed);
    }
    return NextRound.after(some.last() == null ? EVERY : BETWEEN).having(changed);
  }
}
