package io.kairos.engine.task.edge;

import io.kairos.domain.task.queue.QueueMaker;
import io.kairos.domain.task.queue.QueueName;
import io.kairos.domain.task.queue.TaskQueueLimit;
import io.kairos.engine.task.port.operator.HandlerOperations;
import io.kairos.engine.task.port.operator.KeyLimitOperations;
import io.kairos.engine.task.port.operator.QueueUse;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A node's calls for operators. Thread-safe. Every call asks the store on the caller's thread and
 * throws {@link io.kairos.engine.node.StoreUnavailable} when the store does not answer.
 */
public interface QueueEdge extends HandlerOperations {
  /**
   * Makes a queue for its maker unless it exists, before a limit, a setting or a schedule needs it.
   *
   * @param maker null for nobody in particular
   * @throws io.kairos.engine.task.port.NoMoreQueues when there is no room for it
   */
  void make(QueueName queue, @Nullable QueueMaker maker);

  /**
   * Changes the limit of a queue, which is created if it is new.
   *
   * @param change computes the new limit from the present one, which may be {@link
   *     TaskQueueLimit#NONE}
   * @return the new limit and its use
   */
  QueueUse changeLimit(QueueName queue, UnaryOperator<TaskQueueLimit> change);

  /** Limits by key. */
  KeyLimitOperations keyLimits();

  /** The limits of all limited queues, with their use. */
  Map<QueueName, QueueUse> limits();
}
