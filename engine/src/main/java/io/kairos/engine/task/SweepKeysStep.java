package io.kairos.engine.task;

import io.kairos.domain.task.OrderingKeyId;
import io.kairos.engine.loop.NextRound;
import io.kairos.engine.task.port.SweptKeys;
import io.kairos.engine.task.setup.TaskConfig;
import io.kairos.engine.task.setup.TaskPorts;
import java.time.Duration;
import java.util.Optional;

/**
 * Deletes ordering keys without tasks, batch by batch with pauses. The pause is short after a batch
 * with many such keys: with the default batch the step deletes up to 20,000 keys a second, more
 * than are created when every task has a key of its own. It passes up to 5,000 keys with tasks a
 * second, or half a million in 100 s. Safe to run on every node at once.
 */
final class SweepKeysStep {
  private static final Duration EVERY = Duration.ofSeconds(10);
  private static final Duration AFTER_FEW = Duration.ofMillis(200);
  private static final Duration AFTER_MANY = Duration.ofMillis(50);

  private final TaskConfig config;
  private final TaskPorts ports;

  /** The last key of the previous batch; empty to begin with the first key. */
  private Optional<OrderingKeyId> swept = Optional.empty();

  SweepKeysStep(TaskConfig config, TaskPorts ports) {
    this.config = config;
    this.ports = ports;
  }

  NextRound runOnce() {
    SweptKeys some = ports.tasks().sweepKeys(swept, config.maxBatch());
    swept = Optional.ofNullable(some.last());
    return NextRound.after(swept.isPresent() ? pause(some.found()) : EVERY).having(some.found());
  }

  private Duration pause(int found) {
    return found == 0 || found < config.maxBatch() / 2 ? AFTER_FEW : AFTER_MANY;
  }
}
