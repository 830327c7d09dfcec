package io.kairos.engine.worker;

import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The workers that a node knows, for its edges. Thread-safe. Calls about one request of a worker
 * neither block nor wait for a lock; {@link #list} and {@link #drain} ask the store on the caller's
 * thread and throw {@link io.kairos.engine.node.StoreUnavailable} when it does not answer.
 */
public interface WorkerEdge {
  /**
   * Notes that a worker asks for work.
   *
   * @param details what it says of itself; asked for at most once in some seconds
   */
  void asks(WorkerKey worker, Supplier<WorkerDetails> details);

  /** Notes that a worker extends leases. */
  void beats(WorkerKey worker);

  /** True when the worker is given no more tasks. */
  boolean isDrained(WorkerKey worker);

  /** Lists workers behind a place, at most {@code limit}. */
  List<WorkerView> list(WorkerPlace after, int limit);

  /**
   * Gives the workers with this id no more tasks, or gives them tasks again: on this node at once,
   * on the others within seconds.
   *
   * @return the one of them that was heard of last; empty when none is known
   */
  Optional<WorkerView> drain(String worker, boolean isDrained);
}
