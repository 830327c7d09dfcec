package io.kairos.model.task;

import io.kairos.domain.task.queue.QueueId;
import io.kairos.domain.task.queue.TaskQueueLimit;
import io.kairos.engine.task.port.ClaimResult;
import io.kairos.engine.task.port.operator.QueueUse;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The limits of queues of {@link ModelTaskStore}. Not thread-safe: its owner locks. */
final class ModelQueueLimits {
  private static final double MICROS = 1_000_000;
  private static final double ROUNDING = 1e-6;

  private final Map<QueueId, Entry> entries = new HashMap<>();

  private static final class Entry {
    TaskQueueLimit limit;
    int running;
    double tokens = Double.MAX_VALUE;
    long atMicros;

    Entry(TaskQueueLimit limit, int running) {
      this.limit = limit;
      this.running = running;
    }

    private double tokens(double perSecond, long nowMicros) {
      return Math.min(
          limit.size(), tokens + perSecond * Math.max(0, nowMicros - atMicros) / MICROS);
    }

    double tokens(long nowMicros) {
      Double perSecond = limit.perSecond();
      return perSecond == null ? Double.MAX_VALUE : tokens(perSecond, nowMicros);
    }

    int free() {
      Integer most = limit.maxRunning();
      return most == null ? Integer.MAX_VALUE : Math.max(0, most - running);
    }
  }

  /** Room for claims of a batch under a limit. */
  static final class Room {
    private long left;

    private Room(long left) {
      this.left = left;
    }

    boolean takeTurn() {
      return left-- > 0;
    }
  }

  void set(QueueId queue, TaskQueueLimit limit, int running) {
    Entry entry = entries.get(queue);
    if (limit.isNone()) {
      entries.remove(queue);
    } else if (entry == null) {
      entries.put(queue, new Entry(limit, running));
    } else {
      entry.limit = limit;
    }
  }

  void count(QueueId queue, int running) {
    Entry entry = entries.get(queue);
    if (entry != null) {
      entry.running = running;
    }
  }

  Room room(QueueId queue, long nowMicros) {
    Entry entry = entries.get(queue);
    return new Room(
        entry == null
            ? Long.MAX_VALUE
            : Math.min(entry.free(), (long) (entry.tokens(nowMicros) + ROUNDING)));
  }

  void begun(QueueId queue, long nowMicros) {
    Entry entry = entries.get(queue);
    if (entry != null) {
      entry.running++;
      if (entry.limit.perSecond() != null) {
        entry.tokens = entry.tokens(nowMicros) - 1;
        entry.atMicros = Math.max(entry.atMicros, nowMicros);
      }
    }
  }

  /** Returns whether the queue is limited. */
  boolean ended(QueueId queue) {
    Entry entry = entries.get(queue);
    if (entry == null) {
      return false;
    }
    entry.running = Math.max(0, entry.running - 1);
    return true;
  }

  Duration wait(QueueId queue, long nowMicros) {
    Entry entry = entries.get(queue);
    if (entry == null) {
      return Duration.ZERO;
    }
    if (entry.free() == 0) {
      return ClaimResult.UNTIL_CHANGED;
    }
    @Nullable Double perSecond = entry.limit.perSecond();
    double missing = perSecond == null ? 0 : 1 - entry.tokens(nowMicros);
    return missing <= 0 || perSecond == null
        ? Duration.ZERO
        : Duration.of((long) Math.ceil(missing / perSecond * MICROS), ChronoUnit.MICROS);
  }

  Map<QueueId, QueueUse> all() {
    Map<QueueId, QueueUse> all = new HashMap<>();
    entries.forEach((queue, entry) -> all.put(queue, new QueueUse(entry.limit, entry.running)));
    return all;
  }
}
