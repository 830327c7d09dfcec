package io.kairos.engine.task;

import io.kairos.domain.task.FencedTask;
import io.kairos.domain.task.QueueId;
import io.kairos.domain.task.QueueName;
import io.kairos.engine.task.port.EnqueuedTask;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The tasks of one handler and priority that this node has in memory, by trigger: those that are
 * due and those that will be within the horizon. A queue whose limit has held tasks back is closed
 * for a while, and one that is slow takes in no more than it hands out in some seconds. Guarded by
 * the lock of {@link Queues}.
 */
final class ReadyQueue {
  private static final Comparator<EnqueuedTask> BY_TRIGGER =
      Comparator.comparingLong(EnqueuedTask::triggerMicros).thenComparing(task -> task.task().id());

  final QueueId id;
  final QueueName name;
  private final PriorityQueue<EnqueuedTask> tasks = new PriorityQueue<>(BY_TRIGGER);

  private final Pace pace;

  /** Room that is promised to tasks which are being stored. */
  private int reserved;

  /** Of payload, with what is reserved. */
  private long bytes;

  private boolean closed;
  private long closedUntilNanos;

  /** How often it was opened: what was tried before that says nothing of now. */
  private int openings;

  /** Whether the store has more than was asked for last. */
  boolean moreInStore;

  ReadyQueue(QueueId id, QueueName name, Pace pace) {
    this.id = id;
    this.name = name;
    this.pace = pace;
  }

  Pace pace() {
    return pace;
  }

  int openings() {
    return openings;
  }

  boolean isOpen(long nowNanos) {
    return !closed || nowNanos - closedUntilNanos >= 0;
  }

  /** How long until it is open; 0 when it is. */
  long nanosToOpening(long nowNanos) {
    return isOpen(nowNanos) ? 0 : closedUntilNanos - nowNanos;
  }

  /** Something may have changed: claims are worth a try. */
  void open() {
    closed = false;
    openings++;
  }

  /** Its limit has held tasks back that were taken out when it had been opened this often. */
  void close(int openingsThen, long untilNanos) {
    if (openings == openingsThen) {
      closed = true;
      closedUntilNanos = untilNanos;
    }
  }

  int size() {
    return tasks.size() + reserved;
  }

  long bytes() {
    return bytes;
  }

  boolean isEmpty() {
    return tasks.isEmpty();
  }

  void reserve(int payloadBytes) {
    reserved++;
    bytes += payloadBytes;
  }

  void unreserve(int payloadBytes) {
    reserved--;
    bytes -= payloadBytes;
  }

  void add(EnqueuedTask task) {
    tasks.add(task);
    bytes += task.details().bytes();
  }

  /** Adds its tasks to these. */
  void addTo(Set<FencedTask> some) {
    tasks.forEach(task -> some.add(task.task()));
  }

  /** Trigger of the first; {@link Long#MAX_VALUE} when there is none. */
  long firstTriggerMicros() {
    EnqueuedTask first = tasks.peek();
    return first == null ? Long.MAX_VALUE : first.triggerMicros();
  }

  /** Length of the payload of the first; 0 when there is none. */
  int firstBytes() {
    EnqueuedTask first = tasks.peek();
    return first == null ? 0 : first.details().bytes();
  }

  /** Takes out what is due last, until this many are left. */
  List<EnqueuedTask> shorten(int size) {
    List<EnqueuedTask> kept = new ArrayList<>(size);
    while (kept.size() < size && !tasks.isEmpty()) {
      kept.add(tasks.remove());
    }
    List<EnqueuedTask> rest = List.copyOf(tasks);
    tasks.clear();
    tasks.addAll(kept);
    rest.forEach(task -> bytes -= task.details().bytes());
    return rest;
  }

  @Nullable EnqueuedTask poll() {
    EnqueuedTask first = tasks.poll();
    if (first != null) {
      bytes -= first.details().bytes();
    }
    return first;
  }
}
