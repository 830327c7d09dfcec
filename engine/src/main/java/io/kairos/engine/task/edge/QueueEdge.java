package io.kairos.engine.task.edge;

import io.kairos.domain.task.OrderingKey;
import io.kairos.domain.task.queue.CollectionName;
import io.kairos.domain.task.queue.QueueName;
import io.kairos.domain.task.queue.TaskHandler;
import io.kairos.domain.task.queue.TaskQueueLimit;
import io.kairos.engine.task.port.operator.BlockedKey;
import io.kairos.engine.task.port.operator.HandlerCounts;
import io.kairos.engine.task.port.operator.HeadResult;
import io.kairos.engine.task.port.operator.KeyQuery;
import io.kairos.engine.task.port.operator.QueueUse;
import io.kairos.engine.task.port.operator.RedriveRequest;
import io.kairos.engine.task.port.operator.RedriveResult;
import io.kairos.engine.task.port.operator.StoredHandlerSettings;
import io.kairos.engine.task.port.operator.TaskPause;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A node's calls for operators. Thread-safe. Every call asks the store on the caller's thread and
 * throws {@link io.kairos.engine.node.StoreUnavailable} when the store does not answer.
 */
public interface QueueEdge {
  /** Sets or changes a pause. After the return no paused task begins, on any node. */
  void setGate(TaskPause gate);

  /**
   * Ends a pause.
   *
   * @param collection null for the pause of the whole handler
   * @return false when there is no such pause
   */
  boolean liftGate(TaskHandler handler, @Nullable CollectionName collection);

  /** Every pause in force. */
  List<TaskPause.Closed> gates();

  /**
   * Changes the limit of a queue, which is created if it is new.
   *
   * @param change computes the new limit from the present one, which may be {@link
   *     TaskQueueLimit#NONE}
   * @return the new limit and its use
   */
  QueueUse changeLimit(QueueName queue, UnaryOperator<TaskQueueLimit> change);

  /** The limits of all limited queues, with their use. */
  Map<QueueName, QueueUse> limits();

  /** The settings of a handler, defaults included. */
  StoredHandlerSettings settings(TaskHandler handler);

  /**
   * Changes the settings of a handler, which is created if it is new.
   *
   * @param change computes the new settings from the present ones
   * @return the new settings
   */
  StoredHandlerSettings changeHandler(
      TaskHandler handler, UnaryOperator<StoredHandlerSettings> change);

  /** Keys whose head fails; keys that need an operator come first. */
  List<BlockedKey> stuckKeys(KeyQuery query);

  /** Lets a key go on without its failing head. */
  HeadResult skipHead(TaskHandler handler, OrderingKey key);

  /** Retries the failing head of a key at once. */
  HeadResult retryHead(TaskHandler handler, OrderingKey key);

  /** Returns failed tasks to their queues for a new first attempt. */
  RedriveResult redrive(RedriveRequest request);

  /**
   * Numbers of tasks by handler, in the order of names.
   *
   * @param handler null for all handlers
   * @param after lists only handlers that follow this one; null for the first
   * @param limit most handlers to list
   */
  List<HandlerCounts> numbers(
      @Nullable TaskHandler handler, @Nullable TaskHandler after, int limit);
}
