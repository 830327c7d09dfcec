package io.kairos.client.worker;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Tasks that wait for an executor, in the order of arrival, because the nodes give them in their
 * turns; for a strict worker higher priorities first. Among the tasks of one handler and priority
 * the fairness keys take turns, so that the first task of a key does not wait for all that others
 * have here. The shares of the keys are those that the nodes give them; only the order is made
 * here. Bounded by the demand of {@link TaskDemand}. Pure; guarded by the {@link WorkerBoard}.
 */
final class TaskBuffer {
  private final boolean strictPriority;
  private final Map<Origin, Keys> keysOf = new HashMap<>();

  /** For each task that arrived, the keys one of whose tasks is next then. */
  private final TreeMap<Integer, Deque<Keys>> byPriority = new TreeMap<>();

  private int size;
  private long bytes;

  TaskBuffer(boolean strictPriority) {
    this.strictPriority = strictPriority;
  }

  void put(LeasedTask task) {
    Origin origin = new Origin(task.work.getHandler(), task.work.getPriority());
    Keys keys = keysOf.computeIfAbsent(origin, any -> new Keys());
    keys.put(task);
    int priority = strictPriority ? origin.priority : 0;
    byPriority.computeIfAbsent(priority, any -> new ArrayDeque<>()).add(keys);
    size++;
    bytes += bytes(task);
  }

  @Nullable LeasedTask poll() {
    var highest = byPriority.lastEntry();
    if (highest == null) {
      return null;
    }
    LeasedTask task = highest.getValue().remove().next();
    if (highest.getValue().isEmpty()) {
      byPriority.remove(highest.getKey());
    }
    size--;
    bytes -= bytes(task);
    return task;
  }

  /** Removes tasks that are no longer buffered. */
  void purge() {
    List<LeasedTask> kept = drain();
    kept.removeIf(task -> task.phase != LeasedTask.Phase.BUFFERED);
    kept.forEach(this::put);
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

  /** Bytes of all buffered tasks: of their payloads, and of what they have waited for. */
  long bytes() {
    return bytes;
  }

  private static long bytes(LeasedTask task) {
    return task.work.getPredecessorsCount() == 0
        ? task.work.getPayload().size()
        : task.work.getSerializedSize();
  }

  /** The queue on the nodes. */
  private record Origin(String handler, int priority) {}

  /** The tasks of one queue by their fairness keys, the key whose turn it is first. */
  private static final class Keys {
    private final LinkedHashMap<String, Deque<LeasedTask>> tasksOf = new LinkedHashMap<>();

    void put(LeasedTask task) {
      tasksOf.computeIfAbsent(task.work.getFairnessKey(), any -> new ArrayDeque<>()).add(task);
    }

    LeasedTask next() {
      var turn = tasksOf.entrySet().iterator().next();
      LeasedTask task = turn.getValue().remove();
      if (turn.getValue().isEmpty()) {
        tasksOf.remove(turn.getKey());
      } else if (tasksOf.size() > 1) {
        tasksOf.remove(turn.getKey());
        tasksOf.put(turn.getKey(), turn.getValue()); // behind the others
      }
      return task;
    }
  }
}
