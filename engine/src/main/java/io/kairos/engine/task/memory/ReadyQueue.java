package io.kairos.engine.task.memory;

import io.kairos.domain.task.Fairness;
import io.kairos.domain.task.FencedTask;
import io.kairos.domain.task.fairness.FairTurns.Charge;
import io.kairos.domain.task.queue.QueueId;
import io.kairos.domain.task.queue.QueueName;
import io.kairos.engine.task.port.EnqueuedTask;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The tasks of one handler and priority in this node's memory, ordered by trigger: tasks that are
 * due, and tasks due within the horizon. Tasks with fairness keys are handed out {@linkplain
 * FairTasks by turns} between the keys instead, from the first of them that comes on. A queue whose
 * limit has held tasks back is closed for a while. Guarded by the lock of {@link TaskQueues}.
 */
final class ReadyQueue {
  final QueueId id;
  final QueueName name;
  private ReadyTasks tasks = new TriggerHeap();

  private final QueuePace pace;

  /** Number of tasks being stored for which room is reserved. */
  private int reserved;

  /** Bytes of payload, reserved bytes included. */
  private long bytes;

  private boolean closed;
  private long closedUntilNanos;

  /**
   * Number of times the queue was opened; a claim made before the last opening must not close it.
   */
  private int openings;

  /** True when the store may have more tasks of this queue that are due within the horizon. */
  boolean moreInStore;

  /**
   * Number of tasks of the handler that have gone before the first due task of this queue. Each
   * raises the queue's rank by one.
   */
  long passedOver;

  /** Where the search for fairness keys in the store is. */
  final KeyCursor cursor = new KeyCursor();

  ReadyQueue(QueueId id, QueueName name, QueuePace pace) {
    this.id = id;
    this.name = name;
    this.pace = pace;
  }

  QueuePace pace() {
    return pace;
  }

  int openings() {
    return openings;
  }

  /** The priority, aged: the queue with the highest rank is the next of its handler. */
  long rank() {
    return name.priority() + passedOver;
  }

  /** Makes fairness keys take turns from now on. */
  void beFair() {
    if (!isFair()) {
      FairTasks fair = new FairTasks();
      tasks.all().forEach(fair::add);
      tasks = fair;
    }
  }

  boolean isFair() {
    return tasks instanceof FairTasks;
  }

  /** True when fairness keys take turns and that of this task has {@linkplain FairTasks room}. */
  boolean isBelowShare(@Nullable Fairness fairness, int bound, long bytesLeft) {
    return tasks instanceof FairTasks fair && fair.isBelowShare(fairness, bound, bytesLeft);
  }

  /** The fairness keys that have their share, {@code most} at most. */
  Set<String> full(int bound, long bytesLeft, int most) {
    return tasks instanceof FairTasks fair ? fair.full(bound, bytesLeft, most) : Set.of();
  }

  /** True when the first task may be handed out. */
  boolean mayBegin(long nowMicros, long nowNanos) {
    tasks.advance(nowMicros);
    return firstTriggerMicros() <= nowMicros && isOpen(nowNanos);
  }

  boolean isOpen(long nowNanos) {
    return !closed || nowNanos - closedUntilNanos >= 0;
  }

  /** Nanoseconds until the queue opens; 0 when it is open. */
  long nanosToOpening(long nowNanos) {
    return isOpen(nowNanos) ? 0 : closedUntilNanos - nowNanos;
  }

  /** Opens the queue, because claims may succeed again. */
  void open() {
    closed = false;
    openings++;
  }

  /**
   * Closes the queue, because its limit has held tasks back, unless it was opened since they were
   * taken out.
   */
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
    return tasks.size() == 0;
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
    if (task.details().fairness() != null) {
      beFair();
    }
    tasks.add(task);
    bytes += task.details().bytes();
  }

  /** Adds a task that was taken out and has not begun. */
  void giveBack(EnqueuedTask task, @Nullable Charge turn) {
    tasks.giveBack(task, turn);
    bytes += task.details().bytes();
  }

  /** Notes that a task which was taken out has not begun and does not come back. */
  void notBegun(@Nullable Charge turn) {
    tasks.notBegun(turn);
  }

  /** What the task was charged that was taken out last; null for nothing. */
  @Nullable Charge lastTurn() {
    return tasks.lastTurn();
  }

  /** Adds the tasks of this queue to {@code some}. */
  void addTo(Set<FencedTask> some) {
    tasks.all().forEach(task -> some.add(task.task()));
  }

  /** Trigger of the first task, in microseconds; {@link Long#MAX_VALUE} for none. */
  long firstTriggerMicros() {
    EnqueuedTask first = tasks.peek();
    return first == null ? Long.MAX_VALUE : first.triggerMicros();
  }

  /** Bytes of the first task's payload; 0 for none. */
  int firstBytes() {
    EnqueuedTask first = tasks.peek();
    return first == null ? 0 : first.details().bytes();
  }

  /** Takes out the tasks due last, until {@code size} are left. */
  List<EnqueuedTask> shorten(int size) {
    List<EnqueuedTask> rest = tasks.shorten(size);
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
