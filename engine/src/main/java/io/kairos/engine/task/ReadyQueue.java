package io.kairos.engine.task;

import io.kairos.domain.task.QueueId;
import io.kairos.domain.task.QueueName;
import io.kairos.engine.task.port.EnqueuedTask;
import java.util.Comparator;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * The tasks of one handler and priority that this node has in memory, by trigger: those that are
 * due and those that will be within the horizon. Guarded by the lock of {@link Queues}.
 */
final class ReadyQueue {
  private static final Comparator<EnqueuedTask> BY_TRIGGER =
      Comparator.comparingLong(EnqueuedTask::triggerMicros).thenComparing(task -> task.task().id());

  final QueueId id;
  final QueueName name;
  private final PriorityQueue<EnqueuedTask> tasks = new PriorityQueue<>(BY_TRIGGER);

  /** Room that is promised to tasks which are being stored. */
  private int reserved;

  /** Whether the store has more than was asked for last. */
  boolean moreInStore;

  ReadyQueue(QueueId id, QueueName name) {
    this.id = id;
    this.name = name;
  }

  int size() {
    return tasks.size() + reserved;
  }

  boolean isEmpty() {
    return tasks.isEmpty();
  }

  void reserve() {
    reserved++;
  }

  void unreserve() {
    reserved--;
  }

  void add(EnqueuedTask task) {
    tasks.add(task);
  }

  /** Trigger of the first; {@link Long#MAX_VALUE} when there is none. */
  long firstTriggerMicros() {
    EnqueuedTask first = tasks.peek();
    return first == null ? Long.MAX_VALUE : first.triggerMicros();
  }

  /** Length of the payload of the first; 0 when there is none. */
  int firstBytes() {
    EnqueuedTask first = tasks.peek();
    return first == null ? 0 : first.payload().length;
  }

  @Nullable EnqueuedTask poll() {
    return tasks.poll();
  }
}
