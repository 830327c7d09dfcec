package io.kairos.engine.task;

import io.kairos.domain.task.TaskHandler;
import io.kairos.engine.task.Waiters.Waiter;
import io.kairos.engine.task.port.Claims;
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
 * Which waiting worker gets which task: the longest waiting first, of its handlers' tasks those of
 * the highest priority, of these the earliest. Guarded by the lock of {@link Queues}.
 */
final class TaskMatching {
  /** A queue that is held back by a rate is not asked more often. */
  private static final Duration SHORTEST_CLOSING = Duration.ofMillis(5);

  private static final Comparator<ReadyQueue> BEST_FIRST =
      Comparator.<ReadyQueue>comparingInt(queue -> -queue.name.priority())
          .thenComparingLong(ReadyQueue::firstTriggerMicros);

  private final Map<TaskHandler, List<ReadyQueue>> queues;
  private final Waiters waiters;
  private final MemoryBudget budget;
  private final Duration longestClosing;

  /**
   * @param queues by handler, kept up to date by its owner
   * @param longestClosing after which a queue that a limit holds back is worth another try: what
   *     makes room on another node is not heard of here
   */
  TaskMatching(
      Map<TaskHandler, List<ReadyQueue>> queues,
      Waiters waiters,
      MemoryBudget budget,
      Duration longestClosing) {
    this.queues = queues;
    this.waiters = waiters;
    this.budget = budget;
    this.longestClosing = longestClosing;
  }

  /**
   * Tasks with their workers.
   *
   * @param refill whether a queue has room again for what the store has more of
   */
  record Matches(List<Match> all, boolean refill) {}

  /** Takes due tasks off their queues for waiting workers, at most so many. */
  Matches match(long nowMicros, long nowNanos, int max) {
    List<Match> matches = new ArrayList<>();
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
        matches.add(new Match(waiter, queue, task));
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

  /** How long until the next task that a worker waits for may be handed out, and this at most. */
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
   * Says which workers are to be told of which tasks. A worker for which nothing was claimed waits
   * on. What a limit has held back goes back to its queue, which is closed until it may be worth
   * another try.
   *
   * @param claims what became of the matches
   */
  Map<Waiter, List<Work>> settle(List<Match> matches, Claims claims, long nowNanos) {
    Map<Waiter, List<Work>> works = new LinkedHashMap<>();
    for (Match match : matches) {
      List<Work> work = works.computeIfAbsent(match.waiter(), _ -> new ArrayList<>());
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
