package io.kairos.engine.task;

import io.kairos.domain.task.queue.TaskHandler;
import io.kairos.engine.task.WaitingWorkers.Waiter;
import io.kairos.engine.task.edge.ClaimedTask;
import io.kairos.engine.task.edge.WorkRequest;
import io.kairos.engine.task.port.ClaimResult;
import io.kairos.engine.task.port.EnqueuedTask;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Matches waiting workers with due tasks. The longest waiting worker comes first; it gets the tasks
 * of its handlers with the highest priority, the earliest first. Guarded by the lock of {@link
 * TaskQueues}.
 *
 * @param queues queues by handler, a live map
 * @param longestClosing longest time for which a queue is closed by a limit; this node does not
 *     notice when another node makes room
 */
record TaskMatching(
    Map<TaskHandler, List<ReadyQueue>> queues,
    WaitingWorkers waiters,
    MemoryBudget budget,
    Duration longestClosing) {
  /** Shortest time for which a queue is closed by a limit. */
  private static final Duration SHORTEST_CLOSING = Duration.ofMillis(5);

  private static final Comparator<ReadyQueue> BEST_FIRST =
      Comparator.<ReadyQueue>comparingInt(queue -> -queue.name.priority())
          .thenComparingLong(ReadyQueue::firstTriggerMicros);

  /**
   * Matched tasks and workers.
   *
   * @param refill true when a queue has room again for tasks that the store has
   */
  record Matches(List<TaskMatch> all, boolean refill) {}

  /** Takes at most {@code max} due tasks off their queues for waiting workers. */
  Matches match(long nowMicros, long nowNanos, int max) {
    List<TaskMatch> matches = new ArrayList<>();
    boolean refill = false;
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
        EnqueuedTask task = budget.take(queue);
        bytes += task.details().bytes();
        matches.add(new TaskMatch(waiter, queue, task));
        waiter.served = true;
        refill |= queue.moreInStore && (budget.hasAmpleRoom(queue) || !budget.hasDue(queue));
      }
      if (matches.size() >= max) {
        break;
      }
    }
    return new Matches(matches, refill);
  }

  private Optional<ReadyQueue> best(WorkRequest request, long nowMicros, long nowNanos) {
    return request.handlers().stream()
        .flatMap(handler -> queues.getOrDefault(handler, List.of()).stream())
        .filter(queue -> queue.firstTriggerMicros() <= nowMicros && queue.isOpen(nowNanos))
        .min(BEST_FIRST);
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
   * A task that a limit has held back returns to its queue, which is closed for a while.
   *
   * @param claims the result of claiming the matches
   */
  Map<Waiter, List<ClaimedTask>> settle(
      List<TaskMatch> matches, ClaimResult claims, long nowNanos) {
    Map<Waiter, List<ClaimedTask>> works = new LinkedHashMap<>();
    for (TaskMatch match : matches) {
      List<ClaimedTask> work = works.computeIfAbsent(match.waiter(), _ -> new ArrayList<>());
      Duration heldBack = claims.heldBack().get(match.task().task());
      if (claims.claimed().contains(match.task().task())) {
        work.add(match.work());
        match.queue().pace().handedOut(1);
      } else if (heldBack != null) {
        match.queue().pace().slow(nowNanos);
        match.queue().close(match.openings(), nowNanos + closing(heldBack).toNanos());
        budget.add(match.queue(), match.task());
      }
    }
    works
        .entrySet()
        .removeIf(entry -> !waiters.served(entry.getKey(), !entry.getValue().isEmpty()));
    return works;
  }

  private Duration closing(Duration heldBack) {
    Duration atLeast = heldBack.compareTo(SHORTEST_CLOSING) < 0 ? SHORTEST_CLOSING : heldBack;
    return atLeast.compareTo(longestClosing) < 0 ? atLeast : longestClosing;
  }
}
