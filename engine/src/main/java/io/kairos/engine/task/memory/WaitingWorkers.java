package io.kairos.engine.task.memory;

import io.kairos.domain.task.queue.TaskHandler;
import io.kairos.engine.task.edge.AnswerCallback;
import io.kairos.engine.task.edge.ClaimedTask;
import io.kairos.engine.task.edge.WorkRequest;
import io.kairos.engine.time.MonotonicClock;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The workers that wait for tasks, and the handlers that workers have asked for lately. Guarded by
 * the lock of {@link TaskQueues}.
 */
final class WaitingWorkers {
  /** A handler is wanted for this long after a worker last asked for it. */
  private static final long WANTED_NANOS = Duration.ofSeconds(1).toNanos();

  private final MonotonicClock monotonic;
  private final Set<Waiter> waiting = new LinkedHashSet<>();
  private final Map<TaskHandler, Long> askedForAtNanos = new HashMap<>();

  WaitingWorkers(MonotonicClock monotonic) {
    this.monotonic = monotonic;
  }

  /** One wait of a worker. The lock guards the fields that change. */
  static final class Waiter {
    final WorkRequest request;
    final AnswerCallback<List<ClaimedTask>> answer;

    /** True while tasks are being claimed for the worker. */
    boolean served;

    /** True when the worker waits no longer. */
    boolean ended;

    Waiter(WorkRequest request, AnswerCallback<List<ClaimedTask>> answer) {
      this.request = request;
      this.answer = answer;
    }
  }

  /** Adds a waiting worker; returns true when one of its handlers was not wanted before. */
  boolean add(Waiter waiter) {
    waiting.add(waiter);
    long now = monotonic.nanos();
    boolean newlyWanted = false;
    for (TaskHandler handler : waiter.request.handlers()) {
      Long before = askedForAtNanos.put(handler, now);
      newlyWanted |= before == null || now - before > WANTED_NANOS;
    }
    return newlyWanted;
  }

  /**
   * Ends a wait. Returns true when the worker must be answered, because nothing is being claimed
   * for it.
   */
  boolean end(Waiter waiter) {
    waiter.ended = true;
    return !waiter.served && waiting.remove(waiter);
  }

  /**
   * Notes that claiming for a worker has ended.
   *
   * @param hasWork true when tasks were claimed
   * @return true when the worker must be answered; otherwise it waits on
   */
  boolean served(Waiter waiter, boolean hasWork) {
    waiter.served = false;
    boolean isDone = hasWork || waiter.ended;
    if (isDone) {
      waiting.remove(waiter);
    }
    return isDone;
  }

  /** All waits, the longest first. */
  List<Waiter> all() {
    return List.copyOf(waiting);
  }

  /** Waits for which nothing is being claimed, the longest first. */
  List<Waiter> unserved() {
    return waiting.stream().filter(waiter -> !waiter.served).toList();
  }

  /** Waits of the worker with this name, which is this caller's, or nobody's if that is null. */
  List<Waiter> of(String worker, @Nullable String caller) {
    return waiting.stream()
        .filter(waiter -> waiter.request.worker().equals(worker))
        .filter(waiter -> Objects.equals(waiter.request.caller(), caller))
        .toList();
  }

  int size() {
    return waiting.size();
  }

  boolean isWanted(TaskHandler handler) {
    Long at = askedForAtNanos.get(handler);
    return at != null
        && (monotonic.nanos() - at <= WANTED_NANOS
            || waiting.stream().anyMatch(waiter -> waiter.request.handlers().contains(handler)));
  }

  /** All wanted handlers; forgets the others. */
  Set<TaskHandler> wanted() {
    askedForAtNanos.keySet().removeIf(handler -> !isWanted(handler));
    return Set.copyOf(askedForAtNanos.keySet());
  }
}
