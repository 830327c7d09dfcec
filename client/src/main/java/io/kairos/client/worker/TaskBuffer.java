package io.kairos.client.worker;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Tasks that wait for an executor, in the order of arrival, because the nodes give them in their
 * turns; for a strict worker higher priorities first. Bounded by the demand of {@link TaskDemand}.
 * Pure; guarded by the {@link WorkerBoard}.
 */
final class TaskBuffer {
  private final boolean strictPriority;
  private final TreeMap<Integer, Deque<LeasedTask>> byPriority = new TreeMap<>();
  private int size;
  private long bytes;

  TaskBuffer(boolean strictPriority) {
    this.strictPriority = strictPriority;
  }

  void put(LeasedTask task) {
    int priority = strictPriority ? task.work.getPriority() : 0;
    byPriority.computeIfAbsent(priority, any -> new ArrayDeque<>()).add(task);
    size++;
    bytes += task.work.getPayload().size();
  }

  @Nullable LeasedTask poll() {
    var highest = byPriority.lastEntry();
    if (highest == null) {
      return null;
    }
    LeasedTask task = highest.getValue().remove();
    if (highest.getValue().isEmpty()) {
      byPriority.remove(highest.getKey());
    }
    left(task);
    return task;
  }

  /** Removes tasks that are no longer buffered. */
  void purge() {
    for (Iterator<Deque<LeasedTask>> all = byPriority.values().iterator(); all.hasNext(); ) {
      Deque<LeasedTask> queue = all.next();
      queue.removeIf(task -> {
        boolean gone = task.phase != LeasedTask.Phase.BUFFERED;
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

  List<LeasedTask> drain() {
    List<LeasedTask> all = new ArrayList<>(size);
    for (LeasedTask task = poll(); task != null; task = poll()) {
      all.add(task);
    }
    return all;
  }

  int size() {
    return size;
  }

  /** Payload bytes of all buffered tasks. */
  long bytes() {
    return bytes;
  }

  private void left(LeasedTask task) {
    size--;
    bytes -= task.work.getPayload().size();
  }
}
