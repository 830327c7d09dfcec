package io.kairos.engine.task;

import io.kairos.domain.task.KeyId;
import io.kairos.engine.loop.Next;
import io.kairos.engine.loop.Step;
import io.kairos.engine.task.port.SweptKeys;
import java.time.Duration;
import java.util.Optional;

/**
 * Goes through the ordering keys, one batch after the other with pauses in between: forgets those
 * without tasks. The more of them it finds the sooner it goes on: up to 20,000 keys a second with
 * the shipped batch, more than come into being when every task has one of its own. Keys that have
 * tasks it only reads, up to 5,000 a second: 100 s for half a million, after which it is back at
 * those that have none. Safe to run on every node at once.
 */
final class SweepKeysStep implements Step {
  private static final Duration EVERY = Duration.ofSeconds(10);
  private static final Duration AFTER_FEW = Duration.ofMillis(200);
  private static final Duration AFTER_MANY = Duration.ofMillis(50);

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
    SweptKeys some = ports.tasks().sweepKeys(swept, config.maxBatch());
    swept = Optional.ofNullable(some.last());
    return Next.after(swept.isPresent() ? pause(some.found()) : EVERY).having(some.found());
  }

  private Duration pause(int found) {
    return found == 0 || found < config.maxBatch() / 2 ? AFTER_FEW : AFTER_MANY;
  }
}
