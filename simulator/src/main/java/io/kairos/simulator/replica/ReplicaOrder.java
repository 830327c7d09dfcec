package io.kairos.simulator.replica;

import io.kairos.engine.replica.RequestOrigin;
import java.util.ArrayList;
import java.util.List;

/** The agreed order of requests; the oldest are forgotten. */
final class ReplicaOrder {
  private final List<Entry> entries = new ArrayList<>();
  private long first;

  /**
   * A request; the same may be there twice.
   *
   * @param atNanos when it was put into the order
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Entry(RequestOrigin origin, byte[] command, long atNanos) {}

  /** The first one that is still there. */
  long first() {
    return first;
  }

  /** Behind the last one. */
  long end() {
    return first + entries.size();
  }

  Entry at(long index) {
    return entries.get(Math.toIntExact(index - first));
  }

  void append(Entry entry) {
    entries.add(entry);
  }

  void forgetBefore(long index) {
    if (index > first) {
      entries.subList(0, Math.toIntExact(index - first)).clear();
      first = index;
    }
  }
}
