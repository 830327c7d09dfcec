package io.kairos.engine.task.port;

import io.kairos.domain.task.queue.QueueId;
import io.kairos.domain.task.queue.QueueMaker;
import io.kairos.domain.task.queue.QueueName;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The part of the {@link TaskStore} that maps queues to numbers, for steps and operators. */
public interface QueueNumberStore {
  /**
   * Most queues of one store. The bound is needed because every caller that may schedule tasks can
   * create queues, and every node reads all of them.
   */
  int MOST_QUEUES = 10_000;

  /** So many queues are never too many, and none is retired. */
  int FEW_QUEUES = 1_000;

  /**
   * The numbers of these queues, which are created if they are new.
   *
   * @param maker for whom they are created; null for nobody in particular
   * @return the numbers, without queues that another transaction is creating and has locked for too
   *     long, and without new queues when there are {@link #MOST_QUEUES}, or {@link
   *     QueueMaker#MOST_QUEUES} of this maker
   */
  Map<QueueName, QueueId> queues(Collection<QueueName> names, @Nullable QueueMaker maker);

  /** The numbers of these queues, which are created if they are new, for nobody in particular. */
  default Map<QueueName, QueueId> queues(Collection<QueueName> names) {
    return queues(names, null);
  }

  /** The number of queues that were created for a maker. */
  int queuesOf(QueueMaker maker);

  /** All queues that are not retired, by number. */
  Map<QueueId, QueueName> queues();

  /** The queues that have had a task with a fairness key. */
  Set<QueueId> fairQueues();

  /**
   * False while waiting tasks cannot be read by their fairness keys, as an index is missing: then
   * they are asked for in due order only.
   */
  boolean isReadFairly();

  /**
   * Retires queues that hold nothing: no tasks but successes, no limit, schedule or setting, and no
   * worker that has asked for them. Does nothing while there are fewer than {@link #FEW_QUEUES}.
   *
   * @return all retired queues
   */
  RetiredQueues retireQueues();

  /**
   * Removes those of these queues that are still retired and hold nothing, unless the store has not
   * ended all that it had begun when they were read.
   *
   * @return how many were removed
   */
  int forgetQueues(RetiredQueues retired);
}
