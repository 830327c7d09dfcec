package io.kairos.engine.task.memory;

import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.queue.TaskHandler;
import io.kairos.engine.task.edge.ClaimedTask;
import io.kairos.engine.task.edge.WorkRequest;
import io.kairos.engine.task.memory.WaitingWorkers.Waiter;
import io.kairos.engine.task.port.ClaimResult;
import io.kairos.engine.task.port.Predecessors;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Matches waiting workers with due tasks. The longest waiting worker comes first. Its handlers that
 * have due tasks take turns, one task each. In its turn a handler gives the earliest task of its
 * queue with the highest {@linkplain ReadyQueue#rank rank}: the priority, plus one for each task of
 * the handler that has gone before. So a due task of priority p begins after at most 100 - p + n
 * others of its handler, when the handler has n other queues. Only strict workers take the tasks of
 * all their handlers by priority alone. Within a queue, {@linkplain FairTasks fairness keys} take
 * turns. Guarded by the lock of {@link TaskQueues}.
 */
final class TaskMatching {
  /** Shortest time for which a queue is closed by a limit. */
  private static final Duration SHORTEST_CLOSING = Duration.ofMillis(5);

  private static final Comparator<ReadyQueue> STRICT =
      Comparator.<ReadyQueue>comparingInt(queue -> -queue.name.priority())
          .thenComparingLong(ReadyQueue::firstTriggerMicros);

  private final Map<TaskHandler, List<ReadyQueue>> queues;
  private final WaitingWorkers waiters;
  private final MemoryBudget budget;
  private final Duration longestClosing;

  /** Number of the turn in which each handler last gave a task. */
  private final Map<TaskHandler, Long> turns = new HashMap<>();

  private long turn;

  private final Comparator<ReadyQueue> inTurn =
      Comparator.<ReadyQueue>comparingLong(queue -> turns.getOrDefault(queue.name.handler(), 0L))
          .thenComparingLong(queue -> -queue.rank())
          .thenComparingLong(ReadyQueue::firstTriggerMicros);

  /**
   * @param queues queues by handler, a live map
   * @param longestClosing longest time for which a queue is closed by a limit; this node does not
   *     notice when another node makes room
   */
  TaskMatching(
      Map<TaskHandler, List<ReadyQueue>> queues,
      WaitingWorkers waiters,
      MemoryBudget budget,
      Duration longestClosing) {
    this.queues = queues;
    this.waiters = waiters;
    this.budget = budget;
    this.longestClosing = longestClosing;
  }

  /**
   * Matched tasks and workers.
   *
   * @param noRoom workers for whose answer there is no room
   * @param refill true when a queue has room again for tasks that the store has
   */
  record Matches(List<TaskMatch> all, List<Waiter> noRoom, boolean refill) {}

  /** Takes at most {@code max} due tasks off their queues for waiting workers. */
  Matches match(long nowMicros, long nowNanos, int max) {
    List<TaskMatch> matches = new ArrayList<>();
    List<Waiter> noRoom = new ArrayList<>();
    boolean refill = false;
    for (Waiter waiter : waiters.unserved()) {
      int room = Math.min(waiter.request.maxTasks(), max - matches.size());
      long bytes = 0;
      for (int i = 0; i < room; i++) {
        ReadyQueue queue = next(waiter.request, nowMicros, nowNanos);
        if (queue == null || (i > 0 && bytes + queue.firstBytes() > waiter.request.maxBytes())) {
          break;
        }
        if (!waiter.answer.takeRoom(bytes + queue.firstBytes())) {
          if (i == 0) {
            noRoom.add(waiter);
          }
          break;
        }
        TaskMatch match = new TaskMatch(waiter, queue, budget.take(queue));
        bytes += match.task().details().bytes();
        matches.add(match);
        tookTurn(queue, nowMicros, nowNanos);
        waiter.served = true;
        refill |= queue.moreInStore && (budget.hasAmpleRoom(queue) || !budget.hasDue(queue));
      }
      if (matches.size() >= max) {
        break;
      }
    }
    return new Matches(matches, noRoom, refill);
  }

  /** The queue that gives the next task for a worker; null for none. */
  private @Nullable ReadyQueue next(WorkRequest request, long nowMicros, long nowNanos) {
    Comparator<ReadyQueue> order = request.strictPriority() ? STRICT : inTurn;
    ReadyQueue next = null;
    for (TaskHandler handler : request.handlers()) {
      for (ReadyQueue queue : queues.getOrDefault(handler, List.of())) {
        if (queue.mayBegin(nowMicros, nowNanos)
            && (next == null || order.compare(queue, next) < 0)) {
          next = queue;
        }
      }
    }
    return next;
  }

  private void tookTurn(ReadyQueue served, long nowMicros, long nowNanos) {
    TaskHandler handler = served.name.handler();
    turns.put(handler, ++turn);
    served.passedOver = 0;
    for (ReadyQueue other : queues.getOrDefault(handler, List.of())) {
      if (other != served && other.mayBegin(nowMicros, nowNanos)) {
        other.passedOver++;
      }
    }
  }

  /** Forgets a handler that has no queues. */
  void forget(TaskHandler handler) {
    turns.remove(handler);
  }

  /** Time until the next task may be handed out that a worker waits for, {@code most} at most. */
  Duration toNextTask(long nowMicros, long nowNanos, Duration most) {
    long next = most.toNanos();
    for (Waiter waiter : waiters.unserved()) {
      for (TaskHandler handler : waiter.request.handlers()) {
        for (ReadyQueue queue : queues.getOrDefault(handler, List.of())) {
          next = Math.min(next, nanosToFirst(queue, nowMicros, nowNanos));
        }
      }
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
   * Returns the workers to be answered, with their tasks. A worker without a claimed task waits on.
   * A task that a limit has held back returns to its queue, which is closed for a while. The room
   * for the answers that was taken for tasks that are not claimed is given back.
   *
   * @param claims the result of claiming the matches, and maybe others
   * @param predecessors what tasks have waited for
   */
  Map<Waiter, List<ClaimedTask>> settle(
      List<TaskMatch> matches,
      ClaimResult claims,
      Map<TaskId, Predecessors> predecessors,
      long nowNanos) {
    Map<Waiter, List<ClaimedTask>> works = new LinkedHashMap<>();
    for (TaskMatch match : matches) {
      List<ClaimedTask> work = works.computeIfAbsent(match.waiter(), _ -> new ArrayList<>());
      if (claims.claimed().contains(match.task().task())) {
        work.add(match.work(predecessors(match, claims, predecessors)));
        match.queue().pace().handedOut(1);
        continue;
      }
      match.queue().passedOver += match.passedOver(); // the queue has given nothing
      Duration heldBack = claims.heldBack().get(match.task().task());
      if (heldBack != null) {
        match.queue().pace().slow(nowNanos);
        match.queue().close(match.openings(), nowNanos + closing(heldBack).toNanos());
        budget.giveBack(match);
      } else {
        match.queue().notBegun(match.turn());
      }
    }
    works.forEach((waiter, work) -> {
      var _ = waiter.answer.takeRoom(work.stream().mapToLong(ClaimedTask::bytes).sum());
    });
    works
        .entrySet()
        .removeIf(entry -> !waiters.served(entry.getKey(), !entry.getValue().isEmpty()));
    return works;
  }

  private static Predecessors predecessors(
      TaskMatch match, ClaimResult claims, Map<TaskId, Predecessors> found) {
    return claims.withPredecessors().isEmpty()
            || !claims.withPredecessors().contains(match.task().task())
        ? Predecessors.NONE
        : found.getOrDefault(match.task().task().id(), Predecessors.LEFT_OUT);
  }

  private Duration closing(Duration heldBack) {
    Duration atLeast = heldBack.compareTo(SHORTEST_CLOSING) < 0 ? SHORTEST_CLOSING : heldBack;
    return atLeast.compareTo(longestClosing) < 0 ? atLeast : longestClosing;
  }
}
