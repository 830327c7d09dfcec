package io.kairos.engine.task;

import io.kairos.domain.task.KeyId;
import io.kairos.engine.loop.Next;
import io.kairos.engine.loop.Step;
import java.time.Duration;
import java.util.Optional;

/**
 * Goes through the ordering keys, one batch after the other with pauses in between: forgets those
 * without tasks. Faster than keys come into being, even when every task has one of its own. Safe to
 * run on every node at once.
 */
final class SweepKeysStep implements Step {
  private static final Duration EVERY = Duration.ofSeconds(10);
  private static final Duration BETWEEN_BATCHES = Duration.ofMillis(200);

  private final TaskConfig config;
  private final TaskPorts ports;

  /** How far it has come; empty before the first. */
  private Optional<KeyId> swept = Optional.empty();

  SweepKeysStep(TaskConfig config, TaskPorts ports) {
    this.config = config;
    this.ports = ports;
  }

  @Override
  public String name() {
    return "sweep-keys";
  }

  @Override
  public Next runOnce() {
    swept = ports.tasks().sweepKeys(swept, config.maxBatch());
    return Next.after(swept.isPresent() ? BETWEEN_BATCHES : EVERY);
  }
}
