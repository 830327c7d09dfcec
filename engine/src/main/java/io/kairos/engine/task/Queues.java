package io.kairos.engine.task;

import static java.util.Objects.requireNonNull;

import io.kairos.domain.node.NodeId;
import io.kairos.domain.task.FencedTask;
import io.kairos.domain.task.QueueId;
import io.kairos.domain.task.QueueName;
import io.kairos.domain.task.TaskHandler;
import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.loop.Wakeup;
import io.kairos.engine.task.Waiters.Waiter;
import io.kairos.engine.task.port.Claims;
import io.kairos.engine.task.port.EnqueuedTask;
import io.kairos.engine.time.Monotonic;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What this node has in memory: enqueued tasks, one queue per handler and priority (DA-13), matched
 * with the {@linkplain Waiters workers that wait} for them. Bounded in tasks per queue and in bytes
 * over all; takes only what a worker of this node has asked for lately, so that tasks do not lie
 * where nobody fetches them. Thread-safe.
 */
final class Queues {
  /** A queue that is held back by a rate is not asked more often. */
  private static final Duration SHORTEST_CLOSING = Duration.ofMillis(5);

  /** Workers do not keep up with a queue whose first task has been due for so long. */
  private static final long BEHIND_MICROS = EpochMicros.lengthOf(Duration.ofSeconds(2));

  /** Tasks that are due, of a queue that is full of others. */
  private static final int ROOM_FOR_DUE = 16;

  private static final Comparator<ReadyQueue> BEST_FIRST =
      Comparator.<ReadyQueue>comparingInt(queue -> -queue.name.priority())
          .thenComparingLong(ReadyQueue::firstTriggerMicros);

  private final TaskConfig config;
  private final InstantSource clock;
  private final Monotonic monotonic;
  private final Wakeup claim;
  private final Wakeup consume;

  private final ReentrantLock lock = new ReentrantLock();
  private final Map<QueueId, ReadyQueue> byId = new HashMap<>();
  private final Map<TaskHandler, List<ReadyQueue>> byHandler = new HashMap<>();
  private final Waiters waiters;
  private long heldBytes;

  /** Of a former life, and not yet given back; no longer counted as held. */
  private final List<EnqueuedTask> forgotten = new ArrayList<>();

  private @Nullable NodeId life;
  private boolean closed;

  /** The store may have tasks on this node's queues that are not here. */
  private boolean inDoubt;

  /**
   * @param claim wakes the step that matches tasks and workers
   * @param consume wakes the store consumer
   */
  Queues(
      TaskConfig config, InstantSource clock, Monotonic monotonic, Wakeup claim, Wakeup consume) {
    this.config = config;
    this.clock = clock;
    this.monotonic = monotonic;
    this.waiters = new Waiters(monotonic);
    this.claim = claim;
    this.consume = consume;
  }

  /**
   * What was held under a former id of this node is somebody else's by now, and not handed out. But
   * not what was stored under that id after its peers had found that it holds nothing more: as they
   * do not look again, it is {@linkplain #superfluous given back}.
   */
  void liveAs(NodeId present) {
    lock.lock();
    try {
      boolean isNew = !present.equals(life);
      if (isNew && life != null) {
        byId.values().forEach(queue -> drain(queue, forgotten));
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
                ReadyQueue queue = new ReadyQueue(fresh, name, pace());
                byHandler.computeIfAbsent(name.handler(), handler -> new ArrayList<>()).add(queue);
                return queue;
              }));
    } finally {
      lock.unlock();
    }
  }

  private Pace pace() {
    return new Pace(config.maxQueued(), config.enqueueTimeout(), monotonic.nanos());
  }

  TaskEdge.Waiting await(WorkRequest request, Answer<List<Work>> answer) {
    Waiter waiter = new Waiter(request, answer);
    lock.lock();
    try {
      if (!closed) {
        boolean newlyWanted = waiters.add(waiter);
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

  private void end(Waiter waiter) {
    lock.lock();
    try {
      if (!waiters.end(waiter)) {
        return; // answered, or about to be
      }
    } finally {
      lock.unlock();
    }
    waiter.answer.answered(List.of());
  }

  /** Ends the waits of the worker of that name. */
  void leave(String worker) {
    List<Waiter> leaving;
    lock.lock();
    try {
      leaving = waiters.of(worker);
    } finally {
      lock.unlock();
    }
    leaving.forEach(this::end);
  }

  /** Whether to take tasks of a handler into memory. */
  private boolean isWanted(TaskHandler handler) {
    return !closed && waiters.isWanted(handler);
  }

  /**
   * Asks for room for a task that is about to be stored as enqueued. What is granted must be {@link
   * #offerReserved offered} or {@link #unreserve given back}.
   *
   * @param isDue what is not takes only some of the bytes that are left
   */
  boolean reserve(QueueId id, int bytes, boolean isDue) {
    lock.lock();
    try {
      ReadyQueue queue = byId.get(id);
      if (queue == null
          || queue.size() >= bound(queue)
          || !mayTakeBytes(queue)
          || bytes > (isDue ? bytesLeft() : bytesLeftAhead())
          || !isWanted(queue.name.handler())) {
        return false;
      }
      queue.reserve(bytes);
      heldBytes += bytes;
      return true;
    } finally {
      lock.unlock();
    }
  }

  void unreserve(QueueId id, int bytes) {
    lock.lock();
    try {
      known(id).unreserve(bytes);
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
        queue.unreserve(task.details().bytes());
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
        if (isWanted(handler)) {
          for (ReadyQueue queue : queues) {
            int room = room(queue);
            if (room > 0) {
              boolean mayLookAhead = bytesLeftAhead() > 0 && hasAmpleRoom(queue);
              (mayLookAhead ? ahead : dueOnly).put(queue.id, room);
            }
          }
        }
      });
      return new Room(ahead, bytesLeftAhead(), dueOnly, bytesLeft() / 2);
    } finally {
      lock.unlock();
    }
  }

  /** However full the memory is of what is not yet due, what is due gets a little room. */
  private int room(ReadyQueue queue) {
    int free = bytesLeft() > 0 && mayTakeBytes(queue) ? bound(queue) - queue.size() : 0;
    return Math.min(hasDue(queue) ? free : Math.max(free, ROOM_FOR_DUE), config.maxBatch());
  }

  private boolean hasDue(ReadyQueue queue) {
    return queue.firstTriggerMicros() <= EpochMicros.of(clock.instant());
  }

  /**
   * How many tasks of which queues.
   *
   * @param ahead of queues with ample room: whatever comes due within the horizon
   * @param bytesAhead of payload for them all
   * @param dueOnly when they, or the bytes, are more than half taken, perhaps by tasks that are not
   *     yet due: only what is due already, such as retries
   * @param bytes of payload for these: half of what is left, as the earliest of them may all be of
   *     one queue, which is left out of the next round then
   */
  record Room(
      Map<QueueId, Integer> ahead, long bytesAhead, Map<QueueId, Integer> dueOnly, long bytes) {}

  /**
   * Room for tasks whose turn comes when others of their key end here. A queue that is full, and
   * neither limited nor slow, takes a batch more of them: they are due, and follow what has just
   * left it.
   */
  NextRoom roomForNext() {
    Map<QueueId, Integer> rooms = new HashMap<>();
    lock.lock();
    try {
      // For every batch of results: looks at what is wanted here, not at every queue there is.
      for (TaskHandler handler : closed ? Set.<TaskHandler>of() : waiters.wanted()) {
        for (ReadyQueue queue : byHandler.getOrDefault(handler, List.of())) {
          int bound = bound(queue);
          int more = bound < config.maxQueued() ? 0 : config.maxBatch();
          int room = bound + more - queue.size();
          if (room > 0 && mayTakeBytes(queue)) {
            rooms.put(queue.id, Math.min(room, config.maxBatch()));
          }
        }
      }
      return new NextRoom(rooms, bytesLeft() / 2);
    } finally {
      lock.unlock();
    }
  }

  /**
   * How many tasks of which queues.
   *
   * @param bytes of payload for all
   */
  record NextRoom(Map<QueueId, Integer> queues, long bytes) {}

  /** Tasks for which there was {@linkplain #roomForNext room}, and that are enqueued now. */
  void offerNext(List<EnqueuedTask> tasks) {
    if (!tasks.isEmpty()) {
      putBack(tasks);
      claim.signal();
    }
  }

  private boolean hasAmpleRoom(ReadyQueue queue) {
    return queue.size() <= bound(queue) / 2 && mayTakeBytes(queue);
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

  private long bytesLeft() {
    return Math.max(0, config.maxQueuedBytes() - heldBytes);
  }

  /** What is not yet due never takes all that is left from what is. */
  private long bytesLeftAhead() {
    return bytesLeft() / 2;
  }

  /**
   * Tasks that the store consumer has enqueued.
   *
   * @param asked what it asked for
   * @param maxBytes and for how many bytes of payload
   * @return whether the store may have more of a queue that has room
   */
  boolean offer(List<EnqueuedTask> tasks, Map<QueueId, Integer> asked, long maxBytes) {
    boolean more = false;
    long bytes = 0;
    Map<QueueId, Integer> got = new HashMap<>();
    lock.lock();
    try {
      for (EnqueuedTask task : tasks) {
        add(task);
        bytes += task.details().bytes();
        got.merge(task.queue(), 1, Integer::sum);
      }
      // Perhaps by the next task, which would have been more than is left of the bytes.
      boolean isCutShort = !tasks.isEmpty() && bytes >= maxBytes / 2;
      for (Map.Entry<QueueId, Integer> limit : asked.entrySet()) {
        ReadyQueue queue = known(limit.getKey());
        queue.moreInStore = isCutShort || got.getOrDefault(limit.getKey(), 0) >= limit.getValue();
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

  /**
   * The store has tasks of this queue that this node had no room for. Of a queue that it has not
   * heard of it asks when it does.
   */
  void moreInStore(QueueId id) {
    lock.lock();
    try {
      ReadyQueue queue = byId.get(id);
      if (queue != null) {
        queue.moreInStore = true;
      }
    } finally {
      lock.unlock();
    }
  }

  /** Matches due tasks with waiting workers, the longest waiting first, higher priorities first. */
  List<Match> match(long nowMicros, int max) {
    List<Match> matches = new ArrayList<>();
    boolean refill = false;
    long nowNanos = monotonic.nanos();
    lock.lock();
    try {
      for (Waiter waiter : waiters.unserved()) {
        int room = Math.min(waiter.request.maxTasks(), max - matches.size());
        long bytes = 0;
        for (int i = 0; i < room; i++) {
          Optional<ReadyQueue> best = best(waiter.request, nowMicros, nowNanos);
          if (best.isEmpty()
              || (i > 0 && bytes + best.get().firstBytes() > waiter.request.maxBytes())) {
            break;
          }
          ReadyQueue queue = best.get();
          EnqueuedTask task = requireNonNull(queue.poll());
          bytes += task.details().bytes();
          heldBytes -= task.details().bytes();
          matches.add(new Match(waiter, queue, task));
          waiter.served = true;
          refill |= queue.moreInStore && (hasAmpleRoom(queue) || !hasDue(queue));
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

  private Optional<ReadyQueue> best(WorkRequest request, long nowMicros, long nowNanos) {
    return request.handlers().stream()
        .flatMap(handler -> byHandler.getOrDefault(handler, List.of()).stream())
        .filter(queue -> queue.firstTriggerMicros() <= nowMicros && queue.isOpen(nowNanos))
        .min(BEST_FIRST);
  }

  /** How long until the next task that a worker waits for may be handed out, and this at most. */
  Duration toNextTask(long nowMicros, Duration most) {
    long nowNanos = monotonic.nanos();
    long next = most.toNanos();
    lock.lock();
    try {
      for (Waiter waiter : waiters.unserved()) {
        for (TaskHandler handler : waiter.request.handlers()) {
          for (ReadyQueue queue : byHandler.getOrDefault(handler, List.of())) {
            next = Math.min(next, nanosToFirst(queue, nowMicros, nowNanos));
          }
        }
      }
    } finally {
      lock.unlock();
    }
    return Duration.ofNanos(next);
  }

  private static long nanosToFirst(ReadyQueue queue, long nowMicros, long nowNanos) {
    if (queue.isEmpty()) {
      return Long.MAX_VALUE;
    }
    long micros = Math.max(0, queue.firstTriggerMicros() - nowMicros);
    return Math.max(TimeUnit.MICROSECONDS.toNanos(micros), queue.nanosToOpening(nowNanos));
  }

  /**
   * Hands claimed tasks to their workers. A worker for which nothing was claimed waits on. What a
   * limit has held back stays on its queue, which is closed until it may be worth another try.
   *
   * @param claims what became of the matches
   */
  void hand(List<Match> matches, Claims claims) {
    Map<Waiter, List<Work>> works = new LinkedHashMap<>();
    long now = monotonic.nanos();
    lock.lock();
    try {
      for (Match match : matches) {
        List<Work> work = works.computeIfAbsent(match.waiter(), waiter -> new ArrayList<>());
        Duration heldBack = claims.heldBack().get(match.task().task());
        if (claims.claimed().contains(match.task().task())) {
          work.add(match.work());
          match.queue().pace().handedOut(1);
        } else if (heldBack != null) {
          match.queue().pace().slow(now);
          match.queue().close(match.openings(), now + closing(heldBack).toNanos());
          add(match.task());
        }
      }
      works
          .entrySet()
          .removeIf(entry -> !waiters.served(entry.getKey(), !entry.getValue().isEmpty()));
    } finally {
      lock.unlock();
    }
    works.forEach((waiter, work) -> waiter.answer.answered(work));
  }

  /** At most the poll interval: what makes room on another node is not heard of here. */
  private Duration closing(Duration heldBack) {
    Duration most = config.pollInterval();
    Duration atLeast = heldBack.compareTo(SHORTEST_CLOSING) < 0 ? SHORTEST_CLOSING : heldBack;
    return atLeast.compareTo(most) < 0 ? atLeast : most;
  }

  /**
   * Tasks of these queues may begin that could not before.
   *
   * @return whether there is one among them that no worker of this node asks for
   */
  boolean moreMayBegin(Set<QueueId> freed) {
    boolean hasTasks = false;
    boolean hasRoom = false;
    boolean isForOthers = false;
    lock.lock();
    try {
      for (QueueId id : freed) {
        ReadyQueue queue = byId.get(id);
        if (queue == null || !isWanted(queue.name.handler())) {
          isForOthers = true;
        } else {
          queue.open();
          queue.moreInStore = true;
          hasTasks |= !queue.isEmpty();
          hasRoom |= hasAmpleRoom(queue);
        }
      }
    } finally {
      lock.unlock();
    }
    if (hasTasks) {
      claim.signal();
    }
    if (hasRoom) {
      consume.signal();
    }
    return isForOthers;
  }

  /**
   * Tasks that were taken out, and of which the store has not said that they are no longer here.
   */
  void putBack(List<EnqueuedTask> tasks) {
    lock.lock();
    try {
      tasks.forEach(this::add);
    } finally {
      lock.unlock();
    }
  }

  private void add(EnqueuedTask task) {
    known(task.queue()).add(task);
    heldBytes += task.details().bytes();
  }

  /**
   * Makes a call that puts tasks on queues of this node; {@linkplain #doubt doubts} if it fails.
   */
  <T> T doubting(Supplier<T> call) {
    boolean answered = false;
    try {
      T answer = call.get();
      answered = true;
      return answer;
    } finally {
      if (!answered) {
        doubt();
      }
    }
  }

  /** A call that puts tasks on queues of this node has failed, and may have taken effect. */
  private void doubt() {
    lock.lock();
    try {
      inDoubt = true;
    } finally {
      lock.unlock();
    }
  }

  /** Says whether there was such a call since the last time. */
  boolean resolveDoubt() {
    lock.lock();
    try {
      boolean was = inDoubt;
      inDoubt = false;
      return was;
    } finally {
      lock.unlock();
    }
  }

  /** Those that are not here. */
  List<FencedTask> absent(List<FencedTask> some) {
    lock.lock();
    try {
      Set<FencedTask> here = HashSet.newHashSet(some.size());
      byId.values().forEach(queue -> queue.addTo(here));
      return some.stream().filter(task -> !here.contains(task)).toList();
    } finally {
      lock.unlock();
    }
  }

  /** What workers of this node ask for. */
  Set<TaskHandler> wanted() {
    lock.lock();
    try {
      return waiters.wanted();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Takes tasks out that nobody asks for any more, those of slow queues that cannot be handed out
   * for long, and those of a former life.
   */
  List<EnqueuedTask> superfluous() {
    lock.lock();
    try {
      long now = monotonic.nanos();
      List<EnqueuedTask> superfluous = new ArrayList<>();
      byHandler.forEach((handler, queues) -> {
        boolean wanted = waiters.isWanted(handler);
        for (ReadyQueue queue : queues) {
          queue.pace().turn(now);
          noteIfBehind(queue, now);
          int kept = wanted ? queue.pace().kept(queue.size(), now) : 0;
          if (kept < queue.size()) {
            superfluous.addAll(queue.shorten(kept));
          }
        }
      });
      superfluous.forEach(task -> heldBytes -= task.details().bytes());
      superfluous.addAll(forgotten);
      forgotten.clear();
      return superfluous;
    } finally {
      lock.unlock();
    }
  }

  /** Forgets all tasks: they are no longer this node's. */
  List<EnqueuedTask> clear() {
    lock.lock();
    try {
      List<EnqueuedTask> all = new ArrayList<>(forgotten);
      forgotten.clear();
      byId.values().forEach(queue -> drain(queue, all));
      return all;
    } finally {
      lock.unlock();
    }
  }

  private void drain(ReadyQueue queue, List<EnqueuedTask> to) {
    for (@Nullable EnqueuedTask task = queue.poll(); task != null; task = queue.poll()) {
      heldBytes -= task.details().bytes();
      to.add(task);
    }
  }

  /** Lets no worker wait any more; those that do are answered with nothing. */
  void close() {
    List<Waiter> waiting;
    lock.lock();
    try {
      closed = true;
      waiting = waiters.all();
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

  Map<QueueName, Integer> sizes() {
    Map<QueueName, Integer> sizes = new HashMap<>();
    lock.lock();
    try {
      for (ReadyQueue queue : byId.values()) {
        if (queue.size() > 0) {
          sizes.put(queue.name, queue.size());
        }
      }
    } finally {
      lock.unlock();
    }
    return sizes;
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
