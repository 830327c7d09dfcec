package io.kairos.engine.task;

import io.kairos.domain.node.NodeId;
import io.kairos.engine.loop.Next;
import io.kairos.engine.loop.Step;
import io.kairos.engine.loop.Wakeup;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Tells the other nodes that the store has tasks which are due soon and not in this node's memory,
 * at most five times a second however many there are: on Postgres, transactions that notify wait
 * for each other when they commit.
 */
final class RingStep implements Step {
  private static final Duration IDLE = Duration.ofSeconds(1);
  private static final Duration BETWEEN_RINGS = Duration.ofMillis(200);

  private final TaskPorts ports;
  private final Wakeup wakeup;
  private final AtomicBoolean asked = new AtomicBoolean();
  private long rungAtNanos;

  /**
   * @param wakeup of the activity of this step
   */
  RingStep(TaskPorts ports, Wakeup wakeup) {
    this.ports = ports;
    this.wakeup = wakeup;
    this.rungAtNanos = ports.monotonic().nanos() - BETWEEN_RINGS.toNanos();
  }

  @Override
  public String name() {
    return "ring";
  }

  /** Any thread. */
  void ask() {
    if (asked.compareAndSet(false, true)) {
      wakeup.signal();
    }
  }

  @Override
  public Next runOnce() {
    Optional<NodeId> life = ports.life().get();
    if (!asked.get() || life.isEmpty()) {
      return Next.after(IDLE);
    }
    long now = ports.monotonic().nanos();
    long early = BETWEEN_RINGS.toNanos() - (now - rungAtNanos);
    if (early > 0) {
      return Next.after(Duration.ofNanos(early));
    }
    asked.set(false);
    rungAtNanos = now;
    ports.bell().ring(life.get());
    return Next.after(IDLE);
  }
}
