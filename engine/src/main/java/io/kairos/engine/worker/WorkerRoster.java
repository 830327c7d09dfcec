package io.kairos.engine.worker;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.kairos.domain.task.TaskState;
import io.kairos.engine.task.port.HeldAttempt;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * The workers of which this node has heard since it last told the store, and those that are
 * drained. Thread-safe. A request of a worker that is known costs a look into a map; only the first
 * one of a round adds an entry. The number of entries is bounded, also of one caller, because
 * workers choose their ids themselves; requests beyond the bound are served as others and not
 * noted.
 */
public final class WorkerRoster {
  static final int MOST = 4_000;
  static final int MOST_OF_CALLER = 2_000;
  private static final int MOST_LAPSED = 1_000;

  private volatile Round round = new Round();
  private volatile Set<WorkerKey> drained = Set.of();

  /** Leases that lapsed since the store was told, by the id of the worker. */
  @GuardedBy("lapsed")
  private final Map<String, Integer> lapsed = new HashMap<>();

  /** The workers that were heard of since the store was last told. */
  private static final class Round {
    private final ConcurrentMap<WorkerKey, WorkerSign> signs = new ConcurrentHashMap<>();
    private final ConcurrentMap<String, AtomicInteger> ofCaller = new ConcurrentHashMap<>();

    /** Counts it, when there is room. The bounds may be exceeded by calls of the same moment. */
    private boolean takesRoom(WorkerKey worker) {
      return signs.size() < MOST
          && ofCaller.computeIfAbsent(worker.caller(), _ -> new AtomicInteger()).incrementAndGet()
              <= MOST_OF_CALLER;
    }
  }

  /** Notes that a worker asks for work; what comes while the store is told may be left out. */
  void asks(WorkerKey worker, Supplier<WorkerDetails> details) {
    Round now = round;
    WorkerSign known = now.signs.get(worker);
    if (known == null ? now.takesRoom(worker) : known.details() == null) {
      now.signs.put(worker, new WorkerSign(worker, details.get()));
    }
  }

  /** Notes that a worker extends leases. */
  void beats(WorkerKey worker) {
    Round now = round;
    if (!now.signs.containsKey(worker) && now.takesRoom(worker)) {
      now.signs.putIfAbsent(worker, new WorkerSign(worker, null));
    }
  }

  boolean isDrained(WorkerKey worker) {
    Set<WorkerKey> now = drained;
    return !now.isEmpty() && now.contains(worker);
  }

  /** Takes what was heard of since the last call. */
  Collection<WorkerSign> take() {
    Round over = round;
    round = new Round();
    return List.copyOf(over.signs.values());
  }

  /** Sets the drained workers; returns those before. */
  Set<WorkerKey> drain(Set<WorkerKey> all) {
    Set<WorkerKey> before = drained;
    drained = Set.copyOf(all);
    return before;
  }

  /** Counts attempts that were taken from workers that were not heard of in time. */
  public void lapsed(List<HeldAttempt> attempts) {
    synchronized (lapsed) {
      for (HeldAttempt attempt : attempts) {
        if (attempt.state() == TaskState.PROCESSING
            && (lapsed.size() < MOST_LAPSED || lapsed.containsKey(attempt.holder()))) {
          lapsed.merge(attempt.holder(), 1, Integer::sum);
        }
      }
    }
  }

  /** Takes the numbers of lapsed leases since the last call, by the id of the worker. */
  Map<String, Integer> takeLapsed() {
    synchronized (lapsed) {
      Map<String, Integer> taken = Map.copyOf(lapsed);
      lapsed.clear();
      return taken;
    }
  }
}
