package io.kairos.engine.task.memory;

import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.partitioningBy;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.kairos.domain.node.NodeId;
import io.kairos.domain.task.Fairness;
import io.kairos.domain.task.FencedTask;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.queue.QueueId;
import io.kairos.domain.task.queue.QueueName;
import io.kairos.domain.task.queue.TaskHandler;
import io.kairos.engine.loop.Wakeup;
import io.kairos.engine.task.edge.AnswerCallback;
import io.kairos.engine.task.edge.ClaimedTask;
import io.kairos.engine.task.edge.NoAnswerRoom;
import io.kairos.engine.task.edge.NodeStopping;
import io.kairos.engine.task.edge.TaskEdge;
import io.kairos.engine.task.edge.WorkRequest;
import io.kairos.engine.task.memory.TaskMatching.Matches;
import io.kairos.engine.task.memory.WaitingWorkers.Waiter;
import io.kairos.engine.task.port.ClaimResult;
import io.kairos.engine.task.port.EnqueuedTask;
import io.kairos.engine.task.port.FairEnqueueRequest;
import io.kairos.engine.task.port.FairEnqueueResult;
import io.kairos.engine.task.port.PredecessorQuery;
import io.kairos.engine.task.port.Predecessors;
import io.kairos.engine.task.setup.TaskConfig;
import io.kairos.engine.time.MonotonicClock;
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
 * The enqueued tasks in this node's memory, one queue per handler and priority, within a
 * {@linkplain MemoryBudget budget}, {@linkplain TaskMatching matched} with {@linkplain
 * WaitingWorkers waiting workers}. Only tasks of handlers that a worker of this node has asked for
 * lately come into memory. Thread-safe: one lock guards all parts and is never held while a worker
 * is answered.
 */
public final class TaskQueues {
  /** How long a queue that the store has no more stays: longer than any call that may name it. */
  private static final Duration FORGOTTEN_AFTER = Duration.ofMinutes(10);

  private final MonotonicClock monotonic;
  private final Wakeup claim;
  private final Wakeup consume;

  @GuardedBy("this")
  private final Map<QueueId, ReadyQueue> byId = new HashMap<>();

  @GuardedBy("this")
  private final Map<TaskHandler, List<ReadyQueue>> byHandler = new HashMap<>();

  /** Monotonic times since which the store has no more had these queues. */
  @GuardedBy("this")
  private final Map<QueueId, Long> missingSinceNanos = new HashMap<>();

  @GuardedBy("this")
  private final WaitingWorkers waiters;

  @GuardedBy("this")
  private final MemoryBudget budget;

  @GuardedBy("this")
  private final TaskMatching matching;

  @GuardedBy("this")
  private boolean isReadFairly;

  /** Tasks of a former life that are not yet given back, and no longer count as in memory. */
  @GuardedBy("this")
  private final List<EnqueuedTask> forgotten = new ArrayList<>();

  @GuardedBy("this")
  private @Nullable NodeId life;

  @GuardedBy("this")
  private boolean closed;

  /** True when the store may have tasks on this node's queues that are not in memory. */
  @GuardedBy("this")
  private boolean inDoubt;

  /**
   * @param claim wakes the step that matches tasks and workers
   * @param consume wakes the store consumer
   */
  public TaskQueues(
      TaskConfig config,
      InstantSource clock,
      MonotonicClock monotonic,
      Wakeup claim,
      Wakeup consume) {
    this.monotonic = monotonic;
    this.waiters = new WaitingWorkers(monotonic);
    this.budget = new MemoryBudget(config, clock, monotonic);
    this.matching = new TaskMatching(byHandler, waiters, budget, config.pollInterval());
    this.claim = claim;
    this.consume = consume;
  }

  /**
   * Begins a life under a new id, or does nothing when the id is the present one. Tasks of a former
   * life are not handed out, because other nodes take them back. They are also {@linkplain
   * #superfluous given back}, because a task that was stored after the other nodes had searched
   * would stay until its enqueue timeout.
   */
  public synchronized void liveAs(NodeId present) {
    boolean isNew = !present.equals(life);
    if (isNew && life != null) {
      drainTo(forgotten);
    }
    life = present;
  }

  /** Adds queues that exist in the store. */
  public synchronized void know(Map<QueueId, QueueName> queues) {
    missingSinceNanos.keySet().removeAll(queues.keySet());
    queues.forEach((id, name) -> {
      if (!byId.containsKey(id)) {
        ReadyQueue queue = new ReadyQueue(id, name, budget.newPace());
        byId.put(id, queue);
        byHandler.computeIfAbsent(name.handler(), _ -> new ArrayList<>()).add(queue);
      }
    });
  }

  /**
   * Forgets queues without tasks that the store has not had for a while, and that no worker asks
   * for.
   *
   * @param inStore all queues that exist in the store
   */
  public synchronized void forgetOthers(Set<QueueId> inStore) {
    long nowNanos = monotonic.nanos();
    List<ReadyQueue> gone = new ArrayList<>();
    for (ReadyQueue queue : byId.values()) {
      if (!inStore.contains(queue.id)) {
        long sinceNanos = missingSinceNanos.computeIfAbsent(queue.id, _ -> nowNanos);
        if (nowNanos - sinceNanos >= FORGOTTEN_AFTER.toNanos()
            && queue.size() == 0
            && !waiters.isWanted(queue.name.handler())) {
          gone.add(queue);
        }
      }
    }
    gone.forEach(this::forget);
  }

  @GuardedBy("this")
  private void forget(ReadyQueue queue) {
    byId.remove(queue.id);
    missingSinceNanos.remove(queue.id);
    TaskHandler handler = queue.name.handler();
    List<ReadyQueue> others = requireNonNull(byHandler.get(handler));
    others.remove(queue);
    if (others.isEmpty()) {
      byHandler.remove(handler);
      matching.forget(handler);
    }
  }

  public TaskEdge.Waiting await(WorkRequest request, AnswerCallback<List<ClaimedTask>> answer) {
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

  /**
   * Ends the waits of the worker with this name.
   *
   * @param caller the caller whose worker it is; null for none
   */
  public void leave(String worker, @Nullable String caller) {
    List<Waiter> leaving;
    synchronized (this) {
      leaving = waiters.of(worker, caller);
    }
    leaving.forEach(this::end);
  }

  /** True when tasks of the handler should come into memory. */
  @GuardedBy("this")
  private boolean isWanted(TaskHandler handler) {
    return !closed && waiters.isWanted(handler);
  }

  /**
   * Reserves room for a task that is about to be stored as enqueued. The room must be {@linkplain
   * #offerReserved filled} or {@linkplain #unreserve given back}.
   *
   * @param isDue true when the task is due; other tasks may take only half of the free bytes
   * @param fairness whose share of the queue it uses up; null for that of the tasks without a key
   */
  public synchronized boolean reserve(
      QueueId id, int bytes, boolean isDue, @Nullable Fairness fairness) {
    ReadyQueue queue = byId.get(id);
    if (queue == null || !isWanted(queue.name.handler())) {
      return false;
    }
    if (fairness != null) {
      queue.beFair();
    }
    return budget.reserve(queue, bytes, isDue, fairness);
  }

  /** Makes the fairness keys of these queues take turns; queues that are not known are ignored. */
  public synchronized void beFair(Set<QueueId> ids) {
    for (QueueId id : ids) {
      ReadyQueue queue = byId.get(id);
      if (queue != null) {
        queue.beFair();
      }
    }
  }

  /** Says whether the store can be read by fairness keys; it is not until this was called. */
  public synchronized void readFairly(boolean isPossible) {
    isReadFairly = isPossible;
  }

  public synchronized void unreserve(QueueId id, int bytes) {
    budget.unreserve(known(id), bytes);
  }

  /** Adds tasks that were stored as enqueued by this node and have room reserved. */
  public void offerReserved(List<EnqueuedTask> tasks) {
    synchronized (this) {
      for (EnqueuedTask task : tasks) {
        budget.fill(known(task.queue()), task);
      }
    }
    if (!tasks.isEmpty()) {
      claim.signal();
    }
  }

  /**
   * The tasks to ask the store for. Queues without room or without a worker that asks for them are
   * left out, and those that are read by fairness keys: see {@link #fairRoom}.
   */
  public synchronized Room room() {
    Map<QueueId, Integer> ahead = new LinkedHashMap<>();
    Map<QueueId, Integer> dueOnly = new LinkedHashMap<>();
    for (Map.Entry<TaskHandler, List<ReadyQueue>> handler : byHandler.entrySet()) {
      if (isWanted(handler.getKey())) {
        for (ReadyQueue queue : handler.getValue()) {
          int room = queue.isFair() && isReadFairly ? 0 : budget.room(queue);
          if (room > 0) {
            (budget.mayLookAhead(queue) ? ahead : dueOnly).put(queue.id, room);
          }
        }
      }
    }
    return new Room(ahead, budget.bytesLeftAhead(), dueOnly, budget.bytesLeft() / 2);
  }

  /**
   * Numbers of tasks to ask the store for.
   *
   * @param ahead by queue with ample room: tasks due within the horizon
   * @param bytesAhead bytes of payload for all tasks ahead
   * @param dueOnly by queue without ample room, or for every queue while bytes are short: only
   *     tasks that are due, such as retries
   * @param bytes bytes of payload for the due tasks: half of the free bytes, because the earliest
   *     tasks may all be of one queue, which is then left out of the next round
   */
  public record Room(
      Map<QueueId, Integer> ahead, long bytesAhead, Map<QueueId, Integer> dueOnly, long bytes) {}

  /** The queues that workers of this node ask for and that are read by fairness keys. */
  public synchronized List<QueueId> fair() {
    if (!isReadFairly) {
      return List.of();
    }
    List<QueueId> fair = new ArrayList<>();
    for (Map.Entry<TaskHandler, List<ReadyQueue>> handler : byHandler.entrySet()) {
      if (isWanted(handler.getKey())) {
        handler.getValue().stream().filter(ReadyQueue::isFair).forEach(queue -> fair.add(queue.id));
      }
    }
    return fair;
  }

  /** The tasks of a queue whose fairness keys take turns to ask the store for. */
  public synchronized FairRoom fairRoom(QueueId id) {
    ReadyQueue queue = known(id);
    MemoryBudget.FairRoom room = budget.fairRoom(queue);
    boolean isAhead = budget.mayLookAhead(queue);
    return new FairRoom(
        room.others(),
        room.all(),
        isAhead ? budget.bytesLeftAhead() / 2 : budget.bytesLeft() / 2,
        room.full(),
        queue.cursor.after(),
        isAhead);
  }

  /**
   * Numbers of tasks to ask the store for, of a queue whose fairness keys take turns.
   *
   * @param others of the keys that are not full
   * @param all of all keys, those of the others included
   * @param bytes bytes of payload
   * @param full the keys that have their share of the memory
   * @param after the key after which the search begins
   * @param isAhead true to ask for tasks due within the horizon, too
   */
  public record FairRoom(
      int others, int all, long bytes, Set<String> full, String after, boolean isAhead) {}

  /**
   * Adds tasks of a queue whose fairness keys take turns.
   *
   * @return true when the store may have more tasks for which there is room
   */
  public boolean offerFair(FairEnqueueRequest request, FairEnqueueResult result) {
    boolean more;
    synchronized (this) {
      ReadyQueue queue = known(request.queue());
      for (EnqueuedTask task : result.tasks()) {
        budget.add(queue, task);
      }
      boolean isMore = queue.cursor.moved(request, result);
      boolean isOfAll = request.without().isEmpty();
      queue.moreInStore = isMore || (!isOfAll && (queue.moreInStore || !result.isWhole()));
      more = result.tasks().size() >= request.limit() || (isMore && budget.hasAmpleRoom(queue));
    }
    if (!result.tasks().isEmpty()) {
      claim.signal();
    }
    return more;
  }

  /**
   * Room for tasks that wait no more when others end: the next of an ordering key, and successors.
   * The steps that end tasks and that follow ends may ask for it at once.
   */
  public synchronized NextRoom roomForNext() {
    Map<QueueId, Integer> rooms = new HashMap<>();
    // This runs for every batch of reports, so it visits only queues that are wanted here.
    for (TaskHandler handler : closed ? Set.<TaskHandler>of() : waiters.wanted()) {
      for (ReadyQueue queue : byHandler.getOrDefault(handler, List.of())) {
        int room = budget.roomForNext(queue);
        if (room > 0) {
          rooms.put(queue.id, room);
        }
      }
    }
    return new NextRoom(rooms, budget.bytesLeft() / 4);
  }

  /**
   * Numbers of tasks to ask the store for.
   *
   * @param queues number of tasks by queue
   * @param bytes bytes of payload for all tasks
   */
  public record NextRoom(Map<QueueId, Integer> queues, long bytes) {}

  /** Adds tasks for which there was {@linkplain #roomForNext room} and that are enqueued now. */
  public void offerNext(List<EnqueuedTask> tasks) {
    if (!tasks.isEmpty()) {
      putBack(tasks);
      claim.signal();
    }
  }

  /**
   * Adds tasks that the store consumer has enqueued.
   *
   * @param asked the numbers of tasks that it asked for
   * @param maxBytes the bytes of payload that it asked for
   * @return true when the store may have more tasks of a queue with ample room
   */
  public boolean offer(List<EnqueuedTask> tasks, Map<QueueId, Integer> asked, long maxBytes) {
    boolean more = false;
    long bytes = 0;
    Map<QueueId, Integer> got = new HashMap<>();
    synchronized (this) {
      for (EnqueuedTask task : tasks) {
        budget.add(known(task.queue()), task);
        bytes += task.details().bytes();
        got.merge(task.queue(), 1, Integer::sum);
      }
      // The next task may have been too large for the bytes that were left.
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
   * Notes that the store has tasks of this queue that are not in memory. Unknown queues are
   * ignored: the node asks for their tasks when it learns of them.
   */
  public synchronized void moreInStore(QueueId id) {
    ReadyQueue queue = byId.get(id);
    if (queue != null) {
      queue.moreInStore = true;
    }
  }

  /**
   * Takes at most {@code max} due tasks off their queues for waiting workers. The waits of workers
   * that leave no room for an answer end.
   */
  public List<TaskMatch> match(long nowMicros, int max) {
    Matches matches;
    synchronized (this) {
      matches = matching.match(nowMicros, monotonic.nanos(), max);
      matches.noRoom().forEach(waiters::end);
    }
    matches.noRoom().forEach(waiter -> waiter.answer.failed(new NoAnswerRoom()));
    if (matches.refill()) {
      consume.signal();
    }
    return matches.all();
  }

  /** Time until the next task may be handed out that a worker waits for, {@code most} at most. */
  public synchronized Duration toNextTask(long nowMicros, Duration most) {
    return matching.toNextTask(nowMicros, monotonic.nanos(), most);
  }

  /**
   * Takes room in the workers' answers for what claimed tasks have waited for. Tasks of pools are
   * pushed without it.
   *
   * @param claims the result of claiming the matches
   * @return a question for each task for which there is room
   */
  public synchronized List<PredecessorQuery> roomForPredecessors(
      List<TaskMatch> matches, ClaimResult claims) {
    return PredecessorRoom.taken(matches, claims);
  }

  /** Hands claimed tasks to their workers that have waited for no others. */
  public void hand(List<TaskMatch> matches, ClaimResult claims) {
    hand(matches, claims, Map.of());
  }

  /**
   * Hands claimed tasks to those workers that get none which has waited for others.
   *
   * @param claims the result of claiming the matches
   * @return the matches of the other workers, still to be handed over
   */
  public List<TaskMatch> handOthers(List<TaskMatch> matches, ClaimResult claims) {
    if (claims.withPredecessors().isEmpty()) {
      hand(matches, claims);
      return List.of();
    }
    Set<Waiter> behind = new HashSet<>();
    for (TaskMatch match : matches) {
      if (claims.withPredecessors().contains(match.task().task())) {
        behind.add(match.waiter());
      }
    }
    Map<Boolean, List<TaskMatch>> parts =
        matches.stream().collect(partitioningBy(match -> behind.contains(match.waiter())));
    hand(requireNonNull(parts.get(false)), claims);
    return requireNonNull(parts.get(true));
  }

  /**
   * Hands claimed tasks to their workers.
   *
   * @param claims the result of claiming these matches, and maybe others
   * @param predecessors what tasks have waited for, as far as there is {@linkplain
   *     #roomForPredecessors room}
   */
  public void hand(
      List<TaskMatch> matches, ClaimResult claims, Map<TaskId, Predecessors> predecessors) {
    Map<Waiter, List<ClaimedTask>> works;
    synchronized (this) {
      works = matching.settle(matches, claims, predecessors, monotonic.nanos());
    }
    works.forEach((waiter, work) -> waiter.answer.answered(work));
  }

  /**
   * Notes that tasks of these queues may begin that could not before.
   *
   * @return true when no worker of this node asks for some of the queues
   */
  public boolean moreMayBegin(Set<QueueId> freed) {
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

  /** Returns tasks to their queues that were taken out and may not have been claimed. */
  public synchronized void putBack(List<EnqueuedTask> tasks) {
    for (EnqueuedTask task : tasks) {
      budget.add(known(task.queue()), task);
    }
  }

  /**
   * Makes a call that enqueues tasks for this node. A failed call may have taken effect, and {@link
   * #resolveDoubt} reports it.
   */
  public <T> T doubting(Supplier<T> call) {
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

  /** Notes that a call which enqueues tasks for this node may have taken effect unnoticed. */
  public synchronized void doubt() {
    inDoubt = true;
  }

  /** True when a call in {@link #doubting} has failed since this method was last called. */
  public synchronized boolean resolveDoubt() {
    boolean was = inDoubt;
    inDoubt = false;
    return was;
  }

  /** The tasks among {@code some} that are not in memory. */
  public synchronized List<FencedTask> absent(List<FencedTask> some) {
    Set<FencedTask> here = HashSet.newHashSet(some.size());
    byId.values().forEach(queue -> queue.addTo(here));
    return some.stream().filter(task -> !here.contains(task)).toList();
  }

  /** The handlers that workers of this node ask for. */
  public synchronized Set<TaskHandler> wanted() {
    return waiters.wanted();
  }

  /**
   * Takes out tasks that no worker asks for any more, tasks of slow queues beyond their bound, and
   * tasks of a former life.
   */
  public synchronized List<EnqueuedTask> superfluous() {
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

  /** Takes out all tasks, because the node stops. */
  public synchronized List<EnqueuedTask> clear() {
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

  /** Answers all waiting workers without tasks, and refuses new ones. */
  public void close() {
    List<Waiter> waiting;
    synchronized (this) {
      closed = true;
      waiting = waiters.all();
    }
    waiting.forEach(this::end);
  }

  public synchronized int size() {
    return byId.values().stream().mapToInt(ReadyQueue::size).sum();
  }

  public synchronized Map<QueueName, Integer> sizes() {
    Map<QueueName, Integer> sizes = new HashMap<>();
    for (ReadyQueue queue : byId.values()) {
      if (queue.size() > 0) {
        sizes.put(queue.name, queue.size());
      }
    }
    return sizes;
  }

  /** The name of a queue; null when the node was not told of it yet. */
  public synchronized @Nullable QueueName name(QueueId id) {
    ReadyQueue queue = byId.get(id);
    return queue == null ? null : queue.name;
  }

  public synchronized int waiting() {
    return waiters.size();
  }

  @GuardedBy("this")
  private ReadyQueue known(QueueId id) {
    return requireNonNull(byId.get(id), "a queue that the node was never told of");
  }
}
