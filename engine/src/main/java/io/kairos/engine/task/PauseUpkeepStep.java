package io.kairos.engine.task;

import io.kairos.domain.task.queue.TaskHandler;
import io.kairos.engine.loop.NextRound;
import io.kairos.engine.task.memory.TaskQueues;
import io.kairos.engine.task.setup.TaskConfig;
import io.kairos.engine.task.setup.TaskPorts;
import io.kairos.engine.time.MonotonicClock;
import java.time.Duration;
import java.util.Set;

/**
 * Applies what operators have set: ends tasks that a pause drops, releases tasks that an ended
 * pause held back, recounts limited queues, and tells the store which handlers the workers of this
 * node ask for. Works in bounded batches; safe to run on every node at once.
 */
final class PauseUpkeepStep {
  private static final Duration RECOUNT_EVERY = Duration.ofSeconds(10);
  private static final Duration TELL_EVERY = Duration.ofSeconds(5);

  private final TaskConfig config;
  private final TaskPorts ports;
  private final TaskQueues queues;
  private final Every recount;
  private final Every tell;

  PauseUpkeepStep(TaskConfig config, TaskPorts ports, TaskQueues queues) {
    this.config = config;
    this.ports = ports;
    this.queues = queues;
    this.recount = new Every(ports.monotonic(), RECOUNT_EVERY);
    this.tell = new Every(ports.monotonic(), TELL_EVERY);
  }

  NextRound runOnce() {
    if (ports.life().get().isEmpty()) {
      return NextRound.after(config.pollInterval());
    }
    if (tell.isTime()) {
      Set<TaskHandler> wanted = queues.wanted();
      if (!wanted.isEmpty()) {
        ports.tasks().asked(wanted);
      }
    }
    if (recount.isTime()) {
      ports.tasks().recountLimits();
    }
    int tended = ports.tasks().applyPauses(config.maxBatch());
    return (tended > 0 ? NextRound.AT_ONCE : NextRound.after(config.pollInterval())).having(tended);
  }

  /** A timer that is due once per interval, the first time at once. */
  private static final class Every {
    private final MonotonicClock monotonic;
    private final long intervalNanos;
    private boolean hasBeen;
    private long lastNanos;

    Every(MonotonicClock monotonic, Duration interval) {
      this.monotonic = monotonic;
      this.intervalNanos = interval.toNanos();
    }

    boolean isTime() {
      long now = monotonic.nanos();
      if (hasBeen && now - lastNanos < intervalNanos) {
        return false;
      }
      hasBeen = true;
      lastNanos = now;
      return true;
    }
  }
}
