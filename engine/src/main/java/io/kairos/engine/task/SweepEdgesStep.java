package io.kairos.engine.task;

import io.kairos.engine.loop.NextRound;
import io.kairos.engine.task.port.SweptEdges;
import io.kairos.engine.task.setup.TaskConfig;
import io.kairos.engine.task.setup.TaskPorts;
import java.time.Duration;
import java.util.Optional;

/**
 * Deletes edges between tasks that were removed from the history, batch by batch with pauses, and
 * finds ends that no successor was told of. The pause is short after a batch with many such edges:
 * with the default batch the step deletes up to 20,000 edges a second. Safe to run on every node at
 * once.
 */
final class SweepEdgesStep {
  private static final Duration EVERY = Duration.ofSeconds(10);
  private static final Duration AFTER_FEW = Duration.ofMillis(200);
  private static final Duration AFTER_MANY = Duration.ofMillis(50);

  private final TaskConfig config;
  private final TaskPorts ports;

  /** The last edge of the previous batch; empty to begin with the first edge. */
  private Optional<SweptEdges.Position> swept = Optional.empty();

  SweepEdgesStep(TaskConfig config, TaskPorts ports) {
    this.config = config;
    this.ports = ports;
  }

  NextRound runOnce() {
    SweptEdges some = ports.tasks().sweepEdges(swept, config.maxBatch());
    swept = Optional.ofNullable(some.last());
    return NextRound.after(swept.isPresent() ? pause(some.found()) : EVERY).having(some.found());
  }

  private Duration pause(int found) {
    return found < config.maxBatch() / 2 ? AFTER_FEW : AFTER_MANY;
  }
}
