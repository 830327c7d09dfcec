package io.kairos.engine.task;

import static java.util.Objects.requireNonNull;

import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.task.port.EnqueuedTask;
import io.kairos.engine.time.Monotonic;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;

/**
 * How many tasks this node takes into memory: a number for each queue, which its {@link Pace} may
 * lower, and bytes of payload for all queues together. Every task enters and leaves a queue through
 * the budget. Guarded by the lock of {@link Queues}.
 */
final class MemoryBudget {
  /** Workers do not keep up with a queue whose first task has been due for so long. */
  private static final long BEHIND_MICROS = EpochMicros.lengthOf(Duration.ofSeconds(2));

  /** Tasks that are due, of a queue that is full of others. */
  private static final int ROOM_FOR_DUE = 16;

  private final TaskConfig config;
  private final InstantSource clock;
  private final Monotonic monotonic;

  /** Of payload, with what is reserved. */
  private long heldBytes;

  MemoryBudget(TaskConfig config, InstantSource clock, Monotonic monotonic) {
    this.config = config;
    this.clock = clock;
    this.monotonic = monotonic;
  }

  /** For a new queue. */
  Pace newPace() {
    return new Pace(config.maxQueued(), config.enqueueTimeout(), monotonic.nanos());
  }

  long heldBytes() {
    return heldBytes;
  }

  /**
   * Promises room to a task that is being stored. What is promised must be {@linkplain #fill
   * filled} or {@linkplain #unreserve given back}.
   *
   * @param isDue what is not takes only some of the bytes that are left
   */
  boolean reserve(ReadyQueue queue, int bytes, boolean isDue) {
    if (queue.size() >= bound(queue)
        || !mayTakeBytes(queue)
        || bytes > (isDue ? bytesLeft() : bytesLeftAhead())) {
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

  /** Puts a task where room was promised to it. */
  void fill(ReadyQueue queue, EnqueuedTask task) {
    unreserve(queue, task.details().bytes());
    add(queue, task);
  }

  /** Takes a task in, whether there is room or not: it is on this node's queue in the store. */
  void add(ReadyQueue queue, EnqueuedTask task) {
    queue.add(task);
    heldBytes += task.details().bytes();
  }

  /** Takes the first task out of a queue that has one. */
  EnqueuedTask take(ReadyQueue queue) {
    EnqueuedTask task = requireNonNull(queue.poll(), "the queue has no task");
    heldBytes -= task.details().bytes();
    return task;
  }

  /** Takes out what is due last, until this many are left. */
  List<EnqueuedTask> shorten(ReadyQueue queue, int size) {
    List<EnqueuedTask> rest = queue.shorten(size);
    rest.forEach(task -> heldBytes -= task.details().bytes());
    return rest;
  }

  /**
   * Takes out what is better off in the store.
   *
   * @param isWanted whether a worker asks for tasks of the queue
   */
  List<EnqueuedTask> shed(ReadyQueue queue, boolean isWanted) {
    long now = monotonic.nanos();
    queue.pace().turn(now);
    noteIfBehind(queue, now);
    int kept = isWanted ? queue.pace().kept(queue.size(), now) : 0;
    return kept < queue.size() ? shorten(queue, kept) : List.of();
  }

  /**
   * How many tasks of a queue to ask the store for. However full the memory is of what is not yet
   * due, what is due gets a little room.
   */
  int room(ReadyQueue queue) {
    int free = bytesLeft() > 0 && mayTakeBytes(queue) ? bound(queue) - queue.size() : 0;
    return Math.min(hasDue(queue) ? free : Math.max(free, ROOM_FOR_DUE), config.maxBatch());
  }

  /**
   * How many tasks of a queue may follow those that end here. A queue that is full, and neither
   * limited nor slow, takes a batch more of them: they are due, and follow what has just left it.
   */
  int roomForNext(ReadyQueue queue) {
    int bound = bound(queue);
    int more = bound < config.maxQueued() ? 0 : config.maxBatch();
    int room = bound + more - queue.size();
    return mayTakeBytes(queue) ? Math.clamp(room, 0, config.maxBatch()) : 0;
  }

  /** Whether a queue may take in what is not yet due. */
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

  /** What is not yet due never takes all that is left from what is. */
  long bytesLeftAhead() {
    return bytesLeft() / 2;
  }

  /**
   * A queue takes no more bytes when it has as many as are left for all others: one that is alone
   * fills at least half of the memory, and however many have a backlog of large payloads, some is
   * left (Choudhury and Hahne, dynamic queue length thresholds).
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
