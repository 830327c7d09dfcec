package io.kairos.engine.task;

import static java.util.Objects.requireNonNull;

import io.kairos.domain.node.NodeId;
import io.kairos.domain.task.FencedTask;
import io.kairos.domain.task.HandlerName;
import io.kairos.domain.task.QueueId;
import io.kairos.domain.task.QueueName;
import io.kairos.engine.loop.Wakeup;
import io.kairos.engine.task.port.Claim;
import io.kairos.engine.task.port.EnqueuedTask;
import io.kairos.engine.time.Monotonic;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * What this node has in memory: enqueued tasks, one queue per handler and priority (DA-13), and the
 * workers that wait for them. Bounded in tasks per queue and in bytes over all; takes only what a
 * worker of this node has asked for lately, so that tasks do not lie where nobody fetches them.
 * Thread-safe.
 */
final class Queues {
  /** A handler nobody has asked for in this time is not wanted here. */
  private static final long WANTED_NANOS = Duration.ofSeconds(1).toNanos();

  private static final Comparator<ReadyQueue> BEST_FIRST =
      Comparator.<ReadyQueue>comparingInt(queue -> -queue.name.priority())
          .thenComparingLong(ReadyQueue::firstTriggerMicros);

  private final TaskConfig config;
  private final Monotonic monotonic;
  private final Wakeup claim;
  private final Wakeup consume;

  private final ReentrantLock lock = new ReentrantLock();
  private final Map<QueueId, ReadyQueue> byId = new HashMap<>();
  private final Map<HandlerName, List<ReadyQueue>> byHandler = new HashMap<>();
  private final Map<HandlerName, Long> askedForAtNanos = new HashMap<>();
  private final Set<Waiter> waiters = new LinkedHashSet<>();
  private long heldBytes;
  private @Nullable NodeId life;
  private boolean closed;

  /**
   * @param claim wakes the step that matches tasks and workers
   * @param consume wakes the store consumer
   */
  Queues(TaskConfig config, Monotonic monotonic, Wakeup claim, Wakeup consume) {
    this.config = config;
    this.monotonic = monotonic;
    this.claim = claim;
    this.consume = consume;
  }

  /** A worker that waits; all but the request guarded by the lock. */
  private static final class Waiter {
    final WorkRequest request;
    final Answer<List<Work>> answer;

    /** Tasks are being claimed for it. */
    boolean served;

    /** It waits no longer. */
    boolean ended;

    Waiter(WorkRequest request, Answer<List<Work>> answer) {
      this.request = request;
      this.answer = answer;
    }
  }

  /** A task for a worker, not yet claimed. */
  static final class Match {
    private final Waiter waiter;
    private final QueueName queue;
    private final EnqueuedTask task;

    private Match(Waiter waiter, QueueName queue, EnqueuedTask task) {
      this.waiter = waiter;
      this.queue = queue;
      this.task = task;
    }

    EnqueuedTask task() {
      return task;
    }

    QueueName queue() {
      return queue;
    }

    Claim claim() {
      return new Claim(task.task(), waiter.request.worker(), task.keyId());
    }

    private Work work() {
      return new Work(
          task.task().next(),
          queue,
          task.attempt() + 1,
          task.dueMicros(),
          task.payload(),
          task.executionTimeout(),
          task.traceparent(),
          task.key(),
          task.collection());
    }
  }

  /** What was held under a former id of this node is somebody else's by now, and forgotten. */
  void liveAs(NodeId present) {
    lock.lock();
    try {
      boolean isNew = !present.equals(life);
      if (isNew && life != null) {
        byId.values().forEach(queue -> drain(queue, new ArrayList<>()));
      }
      life = present;
    } finally {
      lock.unlock();
    }
  }

  /** Queues that exist, of this and of other nodes. */
  void know(Map<QueueId, QueueName> queues) {
    lock.lock();
    try {
      queues.forEach((id, name) ->
          byId.computeIfAbsent(
              id,
              fresh -> {
                ReadyQueue queue = new ReadyQueue(fresh, name);
                byHandler.computeIfAbsent(name.handler(), handler -> new ArrayList<>()).add(queue);
                return queue;
              }));
    } finally {
      lock.unlock();
    }
  }

  TaskEdge.Waiting await(WorkRequest request, Answer<List<Work>> answer) {
    Waiter waiter = new Waiter(request, answer);
    lock.lock();
    try {
      if (!closed) {
        waiters.add(waiter);
        boolean newlyWanted = ask(request);
        claim.signal();
        if (newlyWanted) {
          consume.signal();
        }
        return () -> end(waiter);
      }
    } finally {
      lock.unlock();
    }
    answer.failed(new NodeStopping());
    return () -> {};
  }

  /** Returns whether one of the handlers was not wanted before. */
  private boolean ask(WorkRequest request) {
    long now = monotonic.nanos();
    boolean newly = false;
    for (HandlerName handler : request.handlers()) {
      Long before = askedForAtNanos.put(handler, now);
      newly |= before == null || now - before > WANTED_NANOS;
    }
    return newly;
  }

  private void end(Waiter waiter) {
    lock.lock();
    try {
      waiter.ended = true;
      if (waiter.served || !waiters.remove(waiter)) {
        return; // answered, or about to be
      }
    } finally {
      lock.unlock();
    }
    waiter.answer.answered(List.of());
  }

  private boolean isWanted(HandlerName handler) {
    Long at = askedForAtNanos.get(handler);
    return at != null
        && (monotonic.nanos() - at <= WANTED_NANOS
            || waiters.stream().anyMatch(waiter -> waiter.request.handlers().contains(handler)));
  }

  /**
   * Asks for room for a task that is about to be stored as enqueued. What is granted must be {@link
   * #offerReserved offered} or {@link #unreserve given back}.
   */
  boolean reserve(QueueId id, int bytes) {
    lock.lock();
    try {
      ReadyQueue queue = byId.get(id);
      if (queue == null
          || queue.size() >= config.maxQueued()
          || heldBytes + bytes > config.maxQueuedBytes()
          || !isWanted(queue.name.handler())) {
        return false;
      }
      queue.reserve();
      heldBytes += bytes;
      return true;
    } finally {
      lock.unlock();
    }
  }

  void unreserve(QueueId id, int bytes) {
    lock.lock();
    try {
      known(id).unreserve();
      heldBytes -= bytes;
    } finally {
      lock.unlock();
    }
  }

  /** Tasks that are stored as enqueued by this node and have room reserved. */
  void offerReserved(List<EnqueuedTask> tasks) {
    lock.lock();
    try {
      for (EnqueuedTask task : tasks) {
        ReadyQueue queue = known(task.queue());
        queue.unreserve();
        queue.add(task);
      }
    } finally {
      lock.unlock();
    }
    if (!tasks.isEmpty()) {
      claim.signal();
    }
  }

  /** What to ask the store for, by queue; what has no room, and what nobody wants, is left out. */
  Room room() {
    Map<QueueId, Integer> ahead = new LinkedHashMap<>();
    Map<QueueId, Integer> dueOnly = new LinkedHashMap<>();
    lock.lock();
    try {
      byHandler.forEach((handler, queues) -> {
        if (heldBytes < config.maxQueuedBytes() && isWanted(handler)) {
          for (ReadyQueue queue : queues) {
            int room = Math.min(config.maxQueued() - queue.size(), config.maxBatch());
            if (room > 0) {
              (hasAmpleRoom(queue) ? ahead : dueOnly).put(queue.id, room);
            }
          }
        }
      });
    } finally {
      lock.unlock();
    }
    return new Room(ahead, dueOnly);
  }

  /**
   * How many tasks of which queues.
   *
   * @param ahead of queues with ample room: whatever comes due within the horizon
   * @param dueOnly of queues that are more than half full, perhaps of tasks that are not yet due:
   *     only what is due already, such as retries
   */
  record Room(Map<QueueId, Integer> ahead, Map<QueueId, Integer> dueOnly) {}

  private boolean hasAmpleRoom(ReadyQueue queue) {
    return queue.size() <= config.maxQueued() / 2;
  }

  long bytesLeft() {
    lock.lock();
    try {
      return Math.max(0, config.maxQueuedBytes() - heldBytes);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Tasks that the store consumer has enqueued.
   *
   * @param asked what it asked for
   * @return whether the store may have more of a queue that has room
   */
  boolean offer(List<EnqueuedTask> tasks, Map<QueueId, Integer> asked) {
    boolean more = false;
    Map<QueueId, Integer> got = new HashMap<>();
    lock.lock();
    try {
      for (EnqueuedTask task : tasks) {
        known(task.queue()).add(task);
        heldBytes += task.payload().length;
        got.merge(task.queue(), 1, Integer::sum);
      }
      for (Map.Entry<QueueId, Integer> limit : asked.entrySet()) {
        ReadyQueue queue = known(limit.getKey());
        queue.moreInStore = got.getOrDefault(limit.getKey(), 0) >= limit.getValue();
        more |= queue.moreInStore && hasAmpleRoom(queue);
      }
    } finally {
      lock.unlock();
    }
    if (!tasks.isEmpty()) {
      claim.signal();
    }
    return more;
  }

  /** Tasks of these queues may begin now, which the store did not give out before. */
  void moreMayBegin(Set<QueueId> ids) {
    if (ids.isEmpty()) {
      return;
    }
    lock.lock();
    try {
      for (QueueId id : ids) {
        ReadyQueue queue = byId.get(id);
        if (queue != null) {
          queue.moreInStore = true;
        }
      }
    } finally {
      lock.unlock();
    }
    consume.signal();
  }

  /** The store has tasks of this queue that this node had no room for. */
  void moreInStore(QueueId id) {
    lock.lock();
    try {
      known(id).moreInStore = true;
    } finally {
      lock.unlock();
    }
  }

  /** Matches due tasks with waiting workers, the longest waiting first, higher priorities first. */
  List<Match> match(long nowMicros, int max) {
    List<Match> matches = new ArrayList<>();
    boolean refill = false;
    lock.lock();
    try {
      for (Waiter waiter : waiters) {
        if (waiter.served) {
          continue;
        }
        int room = Math.min(waiter.request.maxTasks(), max - matches.size());
        long bytes = 0;
        for (int i = 0; i < room; i++) {
          Optional<ReadyQueue> best = best(waiter.request, nowMicros);
          if (best.isEmpty()
              || (i > 0 && bytes + best.get().firstBytes() > waiter.request.maxBytes())) {
            break;
          }
          ReadyQueue queue = best.get();
          EnqueuedTask task = requireNonNull(queue.poll());
          bytes += task.payload().length;
          heldBytes -= task.payload().length;
          matches.add(new Match(waiter, queue.name, task));
          waiter.served = true;
          refill |= queue.moreInStore && hasAmpleRoom(queue);
        }
        if (matches.size() >= max) {
          break;
        }
      }
    } finally {
      lock.unlock();
    }
    if (refill) {
      consume.signal();
    }
    return matches;
  }

  private Optional<ReadyQueue> best(WorkRequest request, long nowMicros) {
    return request.handlers().stream()
        .flatMap(handler -> byHandler.getOrDefault(handler, List.of()).stream())
        .filter(queue -> queue.firstTriggerMicros() <= nowMicros)
        .min(BEST_FIRST);
  }

  /** When the next task that a worker waits for comes due; {@link Long#MAX_VALUE} for never. */
  long nextTriggerMicros() {
    lock.lock();
    try {
      long next = Long.MAX_VALUE;
      for (Waiter waiter : waiters) {
        if (!waiter.served) {
          for (HandlerName handler : waiter.request.handlers()) {
            for (ReadyQueue queue : byHandler.getOrDefault(handler, List.of())) {
              next = Math.min(next, queue.firstTriggerMicros());
            }
          }
        }
      }
      return next;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Hands claimed tasks to their workers. A worker for which nothing was claimed waits on.
   *
   * @param claimed of the matches; the others are held by somebody else now
   */
  void hand(List<Match> matches, Set<FencedTask> claimed) {
    Map<Waiter, List<Work>> works = new LinkedHashMap<>();
    for (Match match : matches) {
      List<Work> work = works.computeIfAbsent(match.waiter, waiter -> new ArrayList<>());
      if (claimed.contains(match.task.task())) {
        work.add(match.work());
      }
    }
    lock.lock();
    try {
      works
          .entrySet()
          .removeIf(entry -> {
            Waiter waiter = entry.getKey();
            waiter.served = false;
            boolean waitsOn = entry.getValue().isEmpty() && !waiter.ended;
            if (!waitsOn) {
              waiters.remove(waiter);
            }
            return waitsOn;
          });
    } finally {
      lock.unlock();
    }
    works.forEach((waiter, work) -> waiter.answer.answered(work));
  }

  /**
   * Tasks that were taken out, and of which the store has not said that they are no longer here.
   */
  void putBack(List<EnqueuedTask> tasks) {
    lock.lock();
    try {
      for (EnqueuedTask task : tasks) {
        known(task.queue()).add(task);
        heldBytes += task.payload().length;
      }
    } finally {
      lock.unlock();
    }
  }

  /** Takes tasks out that nobody asks for any more. */
  List<EnqueuedTask> unwanted() {
    lock.lock();
    try {
      List<EnqueuedTask> unwanted = new ArrayList<>();
      byHandler.forEach((handler, queues) -> {
        if (!isWanted(handler)) {
          queues.forEach(queue -> drain(queue, unwanted));
        }
      });
      return unwanted;
    } finally {
      lock.unlock();
    }
  }

  /** Forgets all tasks: they are no longer this node's. */
  List<EnqueuedTask> clear() {
    lock.lock();
    try {
      List<EnqueuedTask> all = new ArrayList<>();
      byId.values().forEach(queue -> drain(queue, all));
      return all;
    } finally {
      lock.unlock();
    }
  }

  private void drain(ReadyQueue queue, List<EnqueuedTask> to) {
    for (@Nullable EnqueuedTask task = queue.poll(); task != null; task = queue.poll()) {
      heldBytes -= task.payload().length;
      to.add(task);
    }
  }

  /** Lets no worker wait any more; those that do are answered with nothing. */
  void close() {
    List<Waiter> waiting;
    lock.lock();
    try {
      closed = true;
      waiting = List.copyOf(waiters);
    } finally {
      lock.unlock();
    }
    waiting.forEach(this::end);
  }

  int size() {
    lock.lock();
    try {
      return byId.values().stream().mapToInt(ReadyQueue::size).sum();
    } finally {
      lock.unlock();
    }
  }

  int waiting() {
    lock.lock();
    try {
      return waiters.size();
    } finally {
      lock.unlock();
    }
  }

  private ReadyQueue known(QueueId id) {
    return requireNonNull(byId.get(id), "a queue that the node was never told of");
  }
}
