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
  private final AtomicInteger size = new AtomicInteger();

  void add(Claimed fired) {
    size.incrementAndGet();
    queue.add(fired);
  }

  List<Claimed> take(int max) {
    List<Claimed> taken = new ArrayList<>(Math.min(max, size.get()));
    for (Claimed fired = queue.poll(); fired != null; fired = queue.poll()) {
      taken.add(fired);
      if (taken.size() == max) {
        break;
      }
    }
    size.addAndGet(-taken.size());
    return taken;
  }

  boolean isEmpty() {
    return queue.isEmpty();
  }

  int size() {
    return size.get();
  }
}
