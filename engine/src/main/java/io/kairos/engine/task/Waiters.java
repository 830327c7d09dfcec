package io.kairos.engine.task;

import io.kairos.domain.task.TaskHandler;
import io.kairos.engine.time.Monotonic;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The workers that wait for tasks, and what workers of this node have asked for lately. Guarded by
 * the lock of {@link Queues}.
 */
final class Waiters {
  /** A handler nobody has asked for in this time is not wanted here. */
  private static final long WANTED_NANOS = Duration.ofSeconds(1).toNanos();

  private final Monotonic monotonic;
  private final Set<Waiter> waiting = new LinkedHashSet<>();
  private final Map<TaskHandler, Long> askedForAtNanos = new HashMap<>();

  Waiters(Monotonic monotonic) {
    this.monotonic = monotonic;
  }

  /** A worker that waits; all but request and answer guarded by the lock. */
  static final class Waiter {
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

  /** Returns whether one of its handlers was not wanted before. */
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

  /** Lets one wait no longer; says whether it is to be told, as nothing is being claimed for it. */
  boolean end(Waiter waiter) {
    waiter.ended = true;
    return !waiter.served && waiting.remove(waiter);
  }

  /**
   * Tasks have been claimed for one, or have turned out not to be claimed.
   *
   * @return whether it is to be told; else it waits on
   */
  boolean served(Waiter waiter, boolean hasWork) {
    waiter.served = false;
    boolean isDone = hasWork || waiter.ended;
    if (isDone) {
      waiting.remove(waiter);
    }
    return isDone;
  }

  /** The longest waiting first. */
  List<Waiter> all() {
    return List.copyOf(waiting);
  }

  /** Those for which nothing is being claimed, the longest waiting first. */
  List<Waiter> unserved() {
    return waiting.stream().filter(waiter -> !waiter.served).toList();
  }

  /** Those of the worker of that name. */
  List<Waiter> of(String worker) {
    return waiting.stream().filter(waiter -> waiter.request.worker().equals(worker)).toList();
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

  /** Every handler that is; forgets the others. */
  Set<TaskHandler> wanted() {
    askedForAtNanos.keySet().removeIf(handler -> !isWanted(handler));
    return Set.copyOf(askedForAtNanos.keySet());
  }
}
