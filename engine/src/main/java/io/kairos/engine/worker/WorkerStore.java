package io.kairos.engine.worker;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Shares what nodes know of workers, and which of them are drained. All times are by the store's
 * clock. No task depends on the signs of life: the store may lose them when it fails, but not the
 * drains. Thread-safe; calls block. Throws {@link io.kairos.engine.node.StoreUnavailable}.
 */
public interface WorkerStore {
  /**
   * A sign of life is written at most once in this time, however many nodes tell of the worker,
   * unless it says something else of itself.
   */
  Duration SIGNED_EVERY = Duration.ofSeconds(10);

  /** A worker that was not heard of for this long is quiet. */
  Duration QUIET_AFTER = Duration.ofMinutes(2);

  /** A worker that was not heard of for this long is forgotten, and so is its drain. */
  Duration KEPT = Duration.ofDays(1);

  /** Workers that are kept; those heard of last. */
  int MOST = 10_000;

  /** Workers of one caller that are kept, so that no caller puts out those of all others. */
  int MOST_OF_CALLER = 5_000;

  /**
   * Notes signs of life, at most one of each worker. Workers that have not said anything of
   * themselves and are unknown are left out, and new ones while there are twice {@link #MOST}.
   */
  void see(Collection<WorkerSign> signs);

  /**
   * Counts lapsed leases of the workers that are known.
   *
   * @param leases by the id of the worker; which caller's it was is not known
   */
  void lapse(Map<String, Integer> leases);

  /** The workers that are given no more tasks. */
  Set<WorkerKey> drained();

  /** Keeps the drains of workers that were heard of. */
  void keepDrained(Collection<WorkerKey> seen);

  /**
   * Forgets workers that were not heard of for {@link #KEPT}, and those heard of longest ago beyond
   * a number.
   *
   * @param mostOfCaller most workers of one caller
   * @param most most workers
   */
  void prune(int mostOfCaller, int most);

  /** Lists workers behind a place, at most {@code limit}. */
  List<WorkerView> list(WorkerPlace after, int limit);

  /**
   * Begins or ends the drain of the workers with this id.
   *
   * @return the one of them that was heard of last, with nothing that it has said of itself when
   *     only its drain is known; empty, and nothing has begun, when none is known
   */
  Optional<WorkerView> drain(String worker, boolean isDrained);
}
