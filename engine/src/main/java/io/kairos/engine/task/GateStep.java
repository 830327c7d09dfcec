package io.kairos.engine.task;

import io.kairos.domain.task.TaskHandler;
import io.kairos.engine.loop.Next;
import io.kairos.engine.loop.Step;
import io.kairos.engine.time.Monotonic;
import java.time.Duration;
import java.util.Set;

/**
 * The upkeep of what operators set: ends what a gate drops, wakes what one held back, mends the
 * count of limited queues, and tells the other nodes what workers ask for here. In bounded batches;
 * safe to run on every node at once.
 */
final class GateStep implements Step {
  private static final Duration RECOUNT_EVERY = Duration.ofSeconds(10);
  private static final Duration TELL_EVERY = Duration.ofSeconds(5);

  private final TaskConfig config;
  private final TaskPorts ports;
  private final Queues queues;
  private final Every recount;
  private final Every tell;

  GateStep(TaskConfig config, TaskPorts ports, Queues queues) {
    this.config = config;
    this.ports = ports;
    this.queues = queues;
    this.recount = new Every(ports.monotonic(), RECOUNT_EVERY);
    this.tell = new Every(ports.monotonic(), TELL_EVERY);
  }

  @Override
  public String name() {
    return "tend-queues";
  }

  @Override
  public Next runOnce() {
    if (ports.life().get().isEmpty()) {
      return Next.after(config.pollInterval());
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
    int tended = ports.tasks().tendGates(config.maxBatch());
    return (tended > 0 ? Next.AT_ONCE : Next.after(config.pollInterval())).having(tended);
  }

  /** Something that is due again and again; the first time at once. */
  private static final class Every {
    private final Monotonic monotonic;
    private final long intervalNanos;
    private boolean hasBeen;
    private long lastNanos;

    Every(Monotonic monotonic, Duration interval) {
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
