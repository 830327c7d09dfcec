package io.kairos.engine.task.memory;

import static java.util.Objects.requireNonNull;

import io.kairos.domain.task.Fairness;
import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.task.port.EnqueuedTask;
import io.kairos.engine.task.setup.TaskConfig;
import io.kairos.engine.time.MonotonicClock;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Bounds the tasks in this node's memory: a number of tasks for each queue, which its {@link
 * QueuePace} may lower, and bytes of payload for all queues together. Every task enters and leaves
 * a queue through the budget. Guarded by the lock of {@link TaskQueues}.
 */
final class MemoryBudget {
  /** A queue is slow when its first task has been due for longer than this, in microseconds. */
  private static final long BEHIND_MICROS = EpochMicros.lengthOf(Duration.ofSeconds(2));

  /** Due tasks that a queue may always ask for, however full it is of tasks that are not due. */
  private static final int ROOM_FOR_DUE = 16;

  /** Fairness keys that the store is asked to leave out, at most. */
  private static final int MOST_LEFT_OUT = 100;

  private final TaskConfig config;
  private final InstantSource clock;
  private final MonotonicClock monotonic;

  /** Bytes of payload in memory, reserved bytes included. */
  private long heldBytes;

  MemoryBudget(TaskConfig config, InstantSource clock, MonotonicClock monotonic) {
    this.config = config;
    this.clock = clock;
    this.monotonic = monotonic;
  }

  /** The pace of a new queue. */
  QueuePace newPace() {
    return new QueuePace(config.maxQueued(), config.enqueueTimeout(), monotonic.nanos());
  }

  long heldBytes() {
    return heldBytes;
  }

  /**
   * Reserves room for a task that is about to be stored. The room must be {@linkplain #fill filled}
   * or {@linkplain #unreserve given back}. In a queue whose fairness keys take turns, a key that
   * has less than its share finds room beside others that have more: up to twice the bound of the
   * queue, and up to half of the bytes that are left.
   *
   * @param isDue true when the task is due; other tasks may take only half of the free bytes
   * @param fairness that of the task; null for none
   */
  boolean reserve(ReadyQueue queue, int bytes, boolean isDue, @Nullable Fairness fairness) {
    int bound = bound(queue);
    boolean hasRoom =
        queue.size() < bound
            && mayTakeBytes(queue)
            && bytes <= (isDue ? bytesLeft() : bytesLeftAhead());
    if (!hasRoom
        && !(queue.size() < 2L * bound
            && bytes <= bytesLeft() / 2
            && queue.isBelowShare(fairness, bound, bytesLeft()))) {
      return false;
    }
    queue.reserve(bytes);
    heldBytes += bytes;
    return true;
  }

  void unreserve(ReadyQueue queue, int bytes) {
    queue.unreserve(bytes);
    heldBytes -= bytes;
  }

  /** Adds a task for which room was reserved. */
  void fill(ReadyQueue queue, EnqueuedTask task) {
    unreserve(queue, task.details().bytes());
    add(queue, task);
  }

  /** Adds a task without checking for room, because the store has it on this node's queue. */
  void add(ReadyQueue queue, EnqueuedTask task) {
    queue.add(task);
    heldBytes += task.details().bytes();
  }

  /** Adds a task that was taken out and has not begun. */
  void giveBack(TaskMatch match) {
    match.queue().giveBack(match.task(), match.turn());
    heldBytes += match.task().details().bytes();
  }

  /** Takes the first task out of a queue that has one. */
  EnqueuedTask take(ReadyQueue queue) {
    EnqueuedTask task = requireNonNull(queue.poll(), "the queue has no task");
    heldBytes -= task.details().bytes();
    return task;
  }

  /** Takes out the tasks due last, until {@code size} are left. */
  List<EnqueuedTask> shorten(ReadyQueue queue, int size) {
    List<EnqueuedTask> rest = queue.shorten(size);
    rest.forEach(task -> heldBytes -= task.details().bytes());
    return rest;
  }

  /**
   * Takes out the tasks that should go back to the store.
   *
   * @param isWanted true when a worker asks for tasks of the queue
   */
  List<EnqueuedTask> shed(ReadyQueue queue, boolean isWanted) {
    long now = monotonic.nanos();
    queue.pace().turn(now);
    noteIfBehind(queue, now);
    int kept = isWanted ? queue.pace().kept(queue.size(), now) : 0;
    return kept < queue.size() ? shorten(queue, kept) : List.of();
  }

  /**
   * Number of tasks of a queue to ask the store for. Due tasks get a little room even when memory
   * is full of tasks that are not due.
   */
  int room(ReadyQueue queue) {
    int free = bytesLeft() > 0 && mayTakeBytes(queue) ? bound(queue) - queue.size() : 0;
    return Math.min(hasDue(queue) ? free : Math.max(free, ROOM_FOR_DUE), config.maxBatch());
  }

  /**
   * Number of tasks of a queue whose fairness keys take turns to ask the store for: of keys that
   * have less than their share here when some have more, and else of all keys.
   */
  FairRoom fairRoom(ReadyQueue queue) {
    int bound = bound(queue);
    Set<String> full = queue.full(bound, bytesLeft(), MOST_LEFT_OUT);
    int all = room(queue);
    int others = bytesLeft() == 0 ? 0 : Math.clamp(2L * bound - queue.size(), 0, config.maxBatch());
    return new FairRoom(full, full.isEmpty() ? all : others, all);
  }

  /**
   * Room of a queue whose fairness keys take turns.
   *
   * @param full the keys that have their share
   * @param others number of tasks of other keys to ask for
   * @param all number of tasks of all keys to ask for
   */
  record FairRoom(Set<String> full, int others, int all) {}

  /**
   * Number of tasks of a queue that may begin because others have ended. A queue that is not slow
   * takes one batch beyond its bound, because these tasks are due and replace tasks that have just
   * left the queue.
   */
  int roomForNext(ReadyQueue queue) {
    int bound = bound(queue);
    int more = bound < config.maxQueued() ? 0 : config.maxBatch();
    int room = bound + more - queue.size();
    return mayTakeBytes(queue) ? Math.clamp(room, 0, config.maxBatch()) : 0;
  }

  /** True when a queue may take tasks that are not yet due. */
  boolean mayLookAhead(ReadyQueue queue) {
    return bytesLeftAhead() > 0 && hasAmpleRoom(queue);
  }

  boolean hasAmpleRoom(ReadyQueue queue) {
    return queue.size() <= bound(queue) / 2 && mayTakeBytes(queue);
  }

  boolean hasDue(ReadyQueue queue) {
    return queue.firstTriggerMicros() <= EpochMicros.of(clock.instant());
  }

  long bytesLeft() {
    return Math.max(0, config.maxQueuedBytes() - heldBytes);
  }

  /**
   * Bytes left for tasks that are not yet due: half of the free bytes, so that due tasks find room.
   */
  long bytesLeftAhead() {
    return bytesLeft() / 2;
  }

  /**
   * A queue takes no more bytes when it has more than are free for all queues. A single queue then
   * fills half of the memory, and some memory stays free however many queues have a backlog
   * (Choudhury and Hahne, dynamic queue length thresholds).
   */
  private boolean mayTakeBytes(ReadyQueue queue) {
    return queue.bytes() <= bytesLeft();
  }

  private int bound(ReadyQueue queue) {
    long now = monotonic.nanos();
    noteIfBehind(queue, now);
    return queue.pace().bound(now);
  }

  private void noteIfBehind(ReadyQueue queue, long nowNanos) {
    if (queue.firstTriggerMicros() < EpochMicros.of(clock.instant()) - BEHIND_MICROS) {
      queue.pace().slow(nowNanos);
    }
  }
}
