package io.kairos.engine.task.port.operator;

import io.kairos.domain.task.queue.QueueId;
import io.kairos.domain.task.queue.QueueName;
import java.util.Collection;
import java.util.Map;

/**
 * The part of the {@link io.kairos.engine.task.port.TaskStore} that maps queues to numbers, for
 * steps and operators.
 */
public interface QueueNumberStore {
  /**
   * Most queues of one store. The bound is needed because every caller that may schedule tasks can
   * create queues, every node reads all of them, and none is removed while a node runs.
   */
  int MOST_QUEUES = 10_000;

  /**
   * The numbers of these queues, which are created if they are new.
   *
   * @return the numbers, without queues that another transaction is creating and has locked for too
   *     long, and without new queues when there are {@link #MOST_QUEUES}
   */
  Map<QueueName, QueueId> queues(Collection<QueueName> names);

  /** All queues, by number. */
  Map<QueueId, QueueName> queues();
}
