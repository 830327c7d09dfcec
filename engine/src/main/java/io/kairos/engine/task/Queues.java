package io.kairos.engine.task;

import static java.util.Objects.requireNonNull;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.kairos.domain.node.NodeId;
import io.kairos.domain.task.FencedTask;
import io.kairos.domain.task.QueueId;
import io.kairos.domain.task.QueueName;
import io.kairos.domain.task.TaskHandler;
import io.kairos.engine.loop.Wakeup;
import io.kairos.engine.task.TaskMatching.Matches;
import io.kairos.engine.task.Waiters.Waiter;
import io.kairos.engine.task.port.Claims;
import io.kairos.engine.task.port.EnqueuedTask;
import io.kairos.engine.time.Monotonic;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What this node has in memory: enqueued tasks, one queue per handler and priority (DA-13), within
 * a {@linkplain MemoryBudget budget}, {@linkplain TaskMatching matched} with the {@linkplain
 * Waiters workers that wait} for them. Takes only what a worker of this node has asked for lately,
 * so that tasks do not lie where nobody fetches them. Thread-safe: the lock of these queues guards
 * what they are made of, and is never held while somebody is answered.
 */
final class Queues {
  private final Monotonic monotonic;
  private final Wakeup claim;
  private final Wakeup consume;

  @GuardedBy("this")
  private final Map<QueueId, ReadyQueue> byId = new HashMap<>();

  @GuardedBy("this")
  private final Map<TaskHandler, List<ReadyQueue>> byHandler = new HashMap<>();

  @GuardedBy("this")
  private final Waiters waiters;

  @GuardedBy("this")
  private final MemoryBudget budget;

  @GuardedBy("this")
  private final TaskMatching matching;

  /** Of a former life, and not yet given back; no longer counted as held. */
  @GuardedBy("this")
  private final List<EnqueuedTask> forgotten = new ArrayList<>();

  @GuardedBy("this")
  private @Nullable NodeId life;

  @GuardedBy("this")
  private boolean closed;

  /** The store may have tasks on this node's queues that are not here. */
  @GuardedBy("this")
  private boolean inDoubt;

  /**
   * @param claim wakes the step that matches tasks and workers
   * @param consume wakes the store consumer
   */
  Queues(
      TaskConfig config, InstantSource clock, Monotonic monotonic, Wakeup claim, Wakeup consume) {
    this.monotonic = monotonic;
    this.waiters = new Waiters(monotonic);
    this.budget = new MemoryBudget(config, clock, monotonic);
    this.matching = new TaskMatching(byHandler, waiters, budget, config.pollInterval());
    this.claim = claim;
    this.consume = consume;
  }

  /**
   * What was held under a former id of this node is somebody else's by now, and not handed out. But
   * not what was stored under that id after its peers had found that it holds nothing more: as they
   * do not look again, it is {@linkplain #superfluous given back}.
   */
  synchronized void liveAs(NodeId present) {
    boolean isNew = !present.equals(life);
    if (isNew && life != null) {
      drainTo(forgotten);
    }
    life = present;
  }

  /** Queues that exist, of this and of other nodes. */
  synchronized void know(Map<QueueId, QueueName> queues) {
    queues.forEach((id, name) -> {
      if (!byId.containsKey(id)) {
        ReadyQueue queue = new ReadyQueue(id, name, budget.newPace());
        byId.put(id, queue);
        byHandler.computeIfAbsent(name.handler(), _ -> new ArrayList<>()).add(queue);
      }
    });
  }

  TaskEdge.Waiting await(WorkRequest request, Answer<List<Work>> answer) {
    Waiter waiter = new Waiter(request, answer);
    if (!begin(waiter)) {
      answer.failed(new NodeStopping());
      return () -> {};
    }
    return () -> end(waiter);
  }

  private synchronized boolean begin(Waiter waiter) {
    if (closed) {
      return false;
    }
    boolean newlyWanted = waiters.add(waiter);
    claim.signal();
    if (newlyWanted) {
      consume.signal();
    }
    return true;
  }

  private void end(Waiter waiter) {
    boolean isUnanswered;
    synchronized (this) {
      isUnanswered = waiters.end(waiter);
    }
    if (isUnanswered) {
      waiter.answer.answered(List.of());
    }
  }

  /** Ends the waits of the worker of that name. */
  void leave(String worker) {
    List<Waiter> leaving;
    synchronized (this) {
      leaving = waiters.of(worker);
    }
    leaving.forEach(this::end);
  }

  /** Whether to take tasks of a handler into memory. */
  @GuardedBy("this")
  private boolean isWanted(TaskHandler handler) {
    return !closed && waiters.isWanted(handler);
  }

  /**
   * Asks for room for a task that is about to be stored as enqueued. What is granted must be {@link
   * #offerReserved offered} or {@link #unreserve given back}.
   *
   * @param isDue what is not takes only some of the bytes that are left
   */
  synchronized boolean reserve(QueueId id, int bytes, boolean isDue) {
    ReadyQueue queue = byId.get(id);
    return queue != null && isWanted(queue.name.handler()) && budget.reserve(queue, bytes, isDue);
  }

  synchronized void unreserve(QueueId id, int bytes) {
    budget.unreserve(known(id), bytes);
  }

  /** Tasks that are stored as enqueued by this node and have room reserved. */
  void offerReserved(List<EnqueuedTask> tasks) {
    synchronized (this) {
      for (EnqueuedTask task : tasks) {
        budget.fill(known(task.queue()), task);
      }
    }
    if (!tasks.isEmpty()) {
      claim.signal();
    }
  }

  /** What to ask the store for, by queue; what has no room, and what nobody wants, is left out. */
  synchronized Room room() {
    Map<QueueId, Integer> ahead = new LinkedHashMap<>();
    Map<QueueId, Integer> dueOnly = new LinkedHashMap<>();
    for (Map.Entry<TaskHandler, List<ReadyQueue>> handler : byHandler.entrySet()) {
      if (isWanted(handler.getKey())) {
        for (ReadyQueue queue : handler.getValue()) {
          int room = budget.room(queue);
          if (room > 0) {
            (budget.mayLookAhead(queue) ? ahead : dueOnly).put(queue.id, room);
          }
        }
      }
    }
    return new Room(ahead, budget.bytesLeftAhead(), dueOnly, budget.bytesLeft() / 2);
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

  /** Room for tasks whose turn comes when others of their key end here. */
  synchronized NextRoom roomForNext() {
    Map<QueueId, Integer> rooms = new HashMap<>();
    // For every batch of results: looks at what is wanted here, not at every queue there is.
    for (TaskHandler handler : closed ? Set.<TaskHandler>of() : waiters.wanted()) {
      for (ReadyQueue queue : byHandler.getOrDefault(handler, List.of())) {
        int room = budget.roomForNext(queue);
        if (room > 0) {
          rooms.put(queue.id, room);
        }
      }
    }
    return new NextRoom(rooms, budget.bytesLeft() / 2);
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
    synchronized (this) {
      for (EnqueuedTask task : tasks) {
        budget.add(known(task.queue()), task);
        bytes += task.details().bytes();
        got.merge(task.queue(), 1, Integer::sum);
      }
      // Perhaps by the next task, which would have been more than is left of the bytes.
      boolean isCutShort = !tasks.isEmpty() && bytes >= maxBytes / 2;
      for (Map.Entry<QueueId, Integer> limit : asked.entrySet()) {
        ReadyQueue queue = known(limit.getKey());
        queue.moreInStore = isCutShort || got.getOrDefault(limit.getKey(), 0) >= limit.getValue();
        more |= queue.moreInStore && budget.hasAmpleRoom(queue);
      }
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
  synchronized void moreInStore(QueueId id) {
    ReadyQueue queue = byId.get(id);
    if (queue != null) {
      queue.moreInStore = true;
    }
  }

  /** Takes due tasks off their queues for waiting workers, at most so many. */
  List<Match> match(long nowMicros, int max) {
    Matches matches;
    synchronized (this) {
      matches = matching.match(nowMicros, monotonic.nanos(), max);
    }
    if (matches.refill()) {
      consume.signal();
    }
    return matches.all();
  }

  /** How long until the next task that a worker waits for may be handed out, and this at most. */
  synchronized Duration toNextTask(long nowMicros, Duration most) {
    return matching.toNextTask(nowMicros, monotonic.nanos(), most);
  }

  /**
   * Hands claimed tasks to their workers.
   *
   * @param claims what became of the matches
   */
  void hand(List<Match> matches, Claims claims) {
    Map<Waiter, List<Work>> works;
    synchronized (this) {
      works = matching.settle(matches, claims, monotonic.nanos());
    }
    works.forEach((waiter, work) -> waiter.answer.answered(work));
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
    synchronized (this) {
      for (QueueId id : freed) {
        ReadyQueue queue = byId.get(id);
        if (queue == null || !isWanted(queue.name.handler())) {
          isForOthers = true;
        } else {
          queue.open();
          queue.moreInStore = true;
          hasTasks |= !queue.isEmpty();
          hasRoom |= budget.hasAmpleRoom(queue);
        }
      }
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
  synchronized void putBack(List<EnqueuedTask> tasks) {
    for (EnqueuedTask task : tasks) {
      budget.add(known(task.queue()), task);
    }
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
  private synchronized void doubt() {
    inDoubt = true;
  }

  /** Says whether there was such a call since the last time. */
  synchronized boolean resolveDoubt() {
    boolean was = inDoubt;
    inDoubt = false;
    return was;
  }

  /** Those that are not here. */
  synchronized List<FencedTask> absent(List<FencedTask> some) {
    Set<FencedTask> here = HashSet.newHashSet(some.size());
    byId.values().forEach(queue -> queue.addTo(here));
    return some.stream().filter(task -> !here.contains(task)).toList();
  }

  /** What workers of this node ask for. */
  synchronized Set<TaskHandler> wanted() {
    return waiters.wanted();
  }

  /**
   * Takes tasks out that nobody asks for any more, those of slow queues that cannot be handed out
   * for long, and those of a former life.
   */
  synchronized List<EnqueuedTask> superfluous() {
    List<EnqueuedTask> superfluous = new ArrayList<>();
    for (Map.Entry<TaskHandler, List<ReadyQueue>> handler : byHandler.entrySet()) {
      boolean isWanted = waiters.isWanted(handler.getKey());
      for (ReadyQueue queue : handler.getValue()) {
        superfluous.addAll(budget.shed(queue, isWanted));
      }
    }
    superfluous.addAll(forgotten);
    forgotten.clear();
    return superfluous;
  }

  /** Forgets all tasks: they are no longer this node's. */
  synchronized List<EnqueuedTask> clear() {
    List<EnqueuedTask> all = new ArrayList<>(forgotten);
    forgotten.clear();
    drainTo(all);
    return all;
  }

  @GuardedBy("this")
  private void drainTo(List<EnqueuedTask> some) {
    for (ReadyQueue queue : byId.values()) {
      some.addAll(budget.shorten(queue, 0));
    }
  }

  /** Lets no worker wait any more; those that do are answered with nothing. */
  void close() {
    List<Waiter> waiting;
    synchronized (this) {
      closed = true;
      waiting = waiters.all();
    }
    waiting.forEach(this::end);
  }

  synchronized int size() {
    return byId.values().stream().mapToInt(ReadyQueue::size).sum();
  }

  synchronized Map<QueueName, Integer> sizes() {
    Map<QueueName, Integer> sizes = new HashMap<>();
    for (ReadyQueue queue : byId.values()) {
      if (queue.size() > 0) {
        sizes.put(queue.name, queue.size());
      }
    }
    return sizes;
  }

  synchronized int waiting() {
    return waiters.size();
  }

  @GuardedBy("this")
  private ReadyQueue known(QueueId id) {
    return requireNonNull(byId.get(id), "a queue that the node was never told of");
  }
}
