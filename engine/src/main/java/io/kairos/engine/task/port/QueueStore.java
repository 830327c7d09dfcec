package io.kairos.engine.task.port;

import io.kairos.domain.task.CollectionName;
import io.kairos.domain.task.QueueId;
import io.kairos.domain.task.QueueLimit;
import io.kairos.domain.task.TaskHandler;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** What operators set for queues and the tasks on them, for all nodes, and its upkeep. */
public interface QueueStore {
  /**
   * Closes a gate, or changes one that is closed. When this returns, no task behind it begins any
   * more; what is being performed goes on.
   */
  void setGate(Gate gate);

  /**
   * Opens a gate: tasks behind it may begin.
   *
   * @param collection null for the gate of the whole handler
   * @return false when there is no such gate
   */
  boolean liftGate(TaskHandler handler, @Nullable CollectionName collection);

  /** Every gate that is closed, by handler and collection. */
  List<Gate.Closed> gates();

  /**
   * One bounded round of what gates leave to do: ends tasks that are to be dropped, lets those wait
   * again whose gate is open, and forgets open gates. Passes over what is just being changed.
   *
   * @param limit tasks of each gate
   * @return how many tasks were changed
   */
  int tendGates(int limit);

  /**
   * Changes the limit of a queue; who changes the same at once takes turns. Acts on the next claim;
   * what is being performed counts from the start.
   *
   * @param change from what it has, which is none if nothing was set
   * @return what it has now
   */
  QueueUse changeLimit(QueueId queue, UnaryOperator<QueueLimit> change);

  /** Whatever it was before. */
  default void setLimit(QueueId queue, QueueLimit limit) {
    changeLimit(queue, _ -> limit);
  }

  /** Queues that are limited. */
  Map<QueueId, QueueUse> limits();

  /** Counts again what runs on limited queues, and mends the store's count where it is wrong. */
  void recountLimits();

  /** Makes failed tasks wait for another first attempt, under their ids and with growing fences. */
  Redriven redrive(RedriveRequest request);

  /** Workers have asked for tasks of these handlers just now. */
  void asked(Collection<TaskHandler> handlers);

  /**
   * How many tasks are where.
   *
   * @param handler null for every handler that has a queue or is asked for, in the order of names
   * @param after only handlers that follow this name; null for the first
   * @param limit at most this many
   */
  List<HandlerNumbers> numbers(
      @Nullable TaskHandler handler, @Nullable TaskHandler after, int limit);
}
