package io.kairos.engine.delay;

import io.kairos.engine.delay.port.Claimed;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Messages that the broker has acknowledged, on their way from the publisher's threads to the
 * settle step. Bounded by what can be in flight and held; kept over the end of a life, because each
 * entry carries its own fence.
 */
final class Settled {
  private final ConcurrentLinkedQueue<Claimed> queue = new ConcurrentLinkedQueue<>();

  /** Counts what was taken as well, until it is confirmed. */
  private final AtomicInteger size = new AtomicInteger();

  void add(Claimed fired) {
    size.incrementAndGet();
    queue.add(fired);
  }

  /** Takes some out to be deleted; to be confirmed when they are. */
  List<Claimed> take(int max) {
    List<Claimed> taken = new ArrayList<>(Math.min(max, size.get()));
    for (Claimed fired = queue.poll(); fired != null; fired = queue.poll()) {
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
