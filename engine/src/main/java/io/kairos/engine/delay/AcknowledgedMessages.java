package io.kairos.engine.delay;

import io.kairos.engine.delay.port.ClaimedMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Messages that the broker has acknowledged, on their way from the publisher's threads to the
 * settle step. Thread-safe. Bounded by the messages in memory and in flight. Entries outlive the
 * node's life, because each carries its own fence.
 */
final class AcknowledgedMessages {
  private final ConcurrentLinkedQueue<ClaimedMessage> queue = new ConcurrentLinkedQueue<>();

  /** Includes the messages that were taken and are not confirmed yet. */
  private final AtomicInteger size = new AtomicInteger();

  void add(ClaimedMessage fired) {
    size.incrementAndGet();
    queue.add(fired);
  }

  /**
   * Takes at most {@code max} messages, which the caller deletes and then {@linkplain #confirmed
   * confirms}.
   */
  List<ClaimedMessage> take(int max) {
    List<ClaimedMessage> taken = new ArrayList<>(Math.min(max, size.get()));
    for (ClaimedMessage fired = queue.poll(); fired != null; fired = queue.poll()) {
      taken.add(fired);
      if (taken.size() == max) {
        break;
      }
    }
    return taken;
  }

  void confirmed(int count) {
    size.addAndGet(-count);
  }

  boolean isEmpty() {
    return size.get() == 0;
  }

  int size() {
    return size.get();
  }
}
