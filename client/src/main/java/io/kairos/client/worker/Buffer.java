package io.kairos.client.worker;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Tasks that wait for an executor: higher priorities first, within one in the order of their
 * coming. Bounded by what {@link Demand} asks for. Pure; guarded by the {@link Board}.
 */
final class Buffer {
  private final TreeMap<Integer, Deque<Held>> byPriority = new TreeMap<>();
  private int size;
  private long bytes;

  void put(Held task) {
    byPriority.computeIfAbsent(task.work.getPriority(), any -> new ArrayDeque<>()).add(task);
    size++;
    bytes += task.work.getPayload().size();
  }

  @Nullable Held poll() {
    var highest = byPriority.lastEntry();
    if (highest == null) {
      return null;
    }
    Held task = highest.getValue().remove();
    if (highest.getValue().isEmpty()) {
      byPriority.remove(highest.getKey());
    }
    left(task);
    return task;
  }

  /** Takes out those that are no longer buffered. */
  void purge() {
    for (Iterator<Deque<Held>> all = byPriority.values().iterator(); all.hasNext(); ) {
      Deque<Held> queue = all.next();
      queue.removeIf(task -> {
        boolean gone = task.phase != Held.Phase.BUFFERED;
        if (gone) {
          left(task);
        }
        return gone;
      });
      if (queue.isEmpty()) {
        all.remove();
      }
    }
  }

  List<Held> drain() {
    List<Held> all = new ArrayList<>(size);
    for (Held task = poll(); task != null; task = poll()) {
      all.add(task);
    }
    return all;
  }

  int size() {
    return size;
  }

  /** Of payload. */
  long bytes() {
    return bytes;
  }

  private void left(Held task) {
    size--;
    bytes -= task.work.getPayload().size();
  }
}
