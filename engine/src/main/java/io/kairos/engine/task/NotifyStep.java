package io.kairos.engine.task;

import io.kairos.domain.node.NodeId;
import io.kairos.engine.loop.NextRound;
import io.kairos.engine.loop.Wakeup;
import io.kairos.engine.task.setup.TaskPorts;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Notifies the other nodes that the store has tasks which are due soon and not in this node's
 * memory. Notifies at most five times a second, because on Postgres transactions that notify wait
 * for each other when they commit.
 */
final class NotifyStep {
  private static final Duration IDLE = Duration.ofSeconds(1);
  private static final Duration BETWEEN_NOTIFICATIONS = Duration.ofMillis(200);

  private final TaskPorts ports;
  private final Wakeup wakeup;
  private final AtomicBoolean asked = new AtomicBoolean();
  private long notifiedAtNanos;

  /**
   * @param wakeup the wakeup of this step's activity
   */
  NotifyStep(TaskPorts ports, Wakeup wakeup) {
    this.ports = ports;
    this.wakeup = wakeup;
    this.notifiedAtNanos = ports.monotonic().nanos() - BETWEEN_NOTIFICATIONS.toNanos();
  }

  /** Asks for a notification. May be called by any thread. */
  void ask() {
    if (asked.compareAndSet(false, true)) {
      wakeup.signal();
    }
  }

  NextRound runOnce() {
    Optional<NodeId> life = ports.life().get();
    if (!asked.get() || life.isEmpty()) {
      return NextRound.after(IDLE);
    }
    long now = ports.monotonic().nanos();
    long early = BETWEEN_NOTIFICATIONS.toNanos() - (now - notifiedAtNanos);
    if (early > 0) {
      return NextRound.after(Duration.ofNanos(early));
    }
    asked.set(false);
    notifiedAtNanos = now;
    ports.notifier().notifyOthers(life.get());
    return NextRound.after(IDLE);
  }
}
