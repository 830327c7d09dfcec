package io.kairos.engine.task;

import io.kairos.domain.task.CollectionName;
import io.kairos.domain.task.OrderingKey;
import io.kairos.domain.task.QueueLimit;
import io.kairos.domain.task.QueueName;
import io.kairos.domain.task.TaskHandler;
import io.kairos.engine.task.port.Gate;
import io.kairos.engine.task.port.HandlerNumbers;
import io.kairos.engine.task.port.HandlerSettings;
import io.kairos.engine.task.port.HeadResult;
import io.kairos.engine.task.port.KeyQuery;
import io.kairos.engine.task.port.QueueUse;
import io.kairos.engine.task.port.RedriveRequest;
import io.kairos.engine.task.port.Redriven;
import io.kairos.engine.task.port.StuckKey;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What a node offers to operators. Thread-safe. Asks the store on the caller's thread and throws
 * {@link io.kairos.engine.node.StoreUnavailable} when it does not answer.
 */
public interface QueueEdge {
  /** When it returns, no task behind the gate begins any more, on any node. */
  void setGate(Gate gate);

  /**
   * Lets tasks begin again.
   *
   * @param collection null for the gate of the whole handler
   * @return false when there is no such gate
   */
  boolean liftGate(TaskHandler handler, @Nullable CollectionName collection);

  /** Every gate that is closed. */
  List<Gate.Closed> gates();

  /**
   * Changes the limit of a queue, which is made if it is new.
   *
   * @param change from the limit that it has, which is none if nothing was set
   * @return what it has now
   */
  QueueUse changeLimit(QueueName queue, UnaryOperator<QueueLimit> change);

  /** Queues that are limited. */
  Map<QueueName, QueueUse> limits();

  /** What holds for a handler. */
  HandlerSettings settings(TaskHandler handler);

  /**
   * Changes what holds for a handler, which is made known if it is new.
   *
   * @param change from what holds to what shall hold
   * @return what holds now
   */
  HandlerSettings changeHandler(TaskHandler handler, UnaryOperator<HandlerSettings> change);

  /** Keys whose head fails; those that need an operator first. */
  List<StuckKey> stuckKeys(KeyQuery query);

  /** Lets a key go on without its failing head. */
  HeadResult skipHead(TaskHandler handler, OrderingKey key);

  /** Has the failing head of a key tried again at once. */
  HeadResult retryHead(TaskHandler handler, OrderingKey key);

  /** Makes failed tasks wait for another first attempt; says which. */
  Redriven redrive(RedriveRequest request);

  /**
   * How many tasks are where, by the names of handlers.
   *
   * @param handler null for all
   * @param after only those that follow; null for the first
   */
  List<HandlerNumbers> numbers(
      @Nullable TaskHandler handler, @Nullable TaskHandler after, int limit);
}
