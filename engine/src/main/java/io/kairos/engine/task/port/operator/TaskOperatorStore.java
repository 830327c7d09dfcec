package io.kairos.engine.task.port.operator;

import io.kairos.domain.task.OrderingKeyPolicy;
import io.kairos.domain.task.RetryPolicy;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.queue.QueueId;
import io.kairos.domain.task.queue.QueueName;
import io.kairos.domain.task.queue.TaskHandler;
import io.kairos.domain.task.queue.TaskQueueLimit;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The part of the task store that operators and edge calls use: finding and changing tasks, and the
 * settings of handlers, queues and ordering keys, which apply to all nodes.
 */
public interface TaskOperatorStore extends HandlerOperations, KeyLimitOperations {
  /** Cancels a waiting task; requests the cancellation of a task that a worker performs. */
  CancelResult cancel(TaskId id);

  /**
   * Gives a task that is not being performed another due time and no holder.
   *
   * @return false when the task is being performed, has ended, is unknown, or would be due after
   *     its start deadline
   */
  boolean reschedule(TaskId id, long dueMicros);

  /**
   * Changes many tasks, the oldest first, each as {@link #cancel} or {@link #reschedule} would. One
   * call passes over a bounded number of tasks that do not match.
   */
  ChangeResult change(ChangeRequest request);

  default Optional<TaskView> find(TaskId id) {
    return find(id, true);
  }

  /**
   * Shows a task.
   *
   * @param withPayload false to leave the payload out
   */
  Optional<TaskView> find(TaskId id, boolean withPayload);

  TaskListing list(ListQuery query);

  /**
   * The queues of tasks; tasks that are not known are absent. Of a {@linkplain
   * io.kairos.domain.task.batch.BatchId#asPredecessor batch}, a queue of its handler.
   */
  Map<TaskId, QueueName> queuesOf(Collection<TaskId> ids);

  /**
   * Shows the graph to which a task belongs: all tasks that edges lead to, followed both ways.
   *
   * @param maxTasks most tasks
   * @param maxEdges most edges between these tasks
   * @return no edges for a task that waits for no other and that no other waits for
   */
  TaskGraphView graph(TaskId id, int maxTasks, int maxEdges);

  /**
   * Finds what is unfinished of a task and of those that wait for it, directly or through others,
   * ended ones as well. One call passes over a bounded number of tasks.
   */
  UnfinishedTasks unfinishedFrom(TaskId id, int limit);

  /** Sets the retry policy of tasks without their own. */
  default void setRetryPolicy(TaskHandler handler, RetryPolicy policy) {
    changeHandler(
        handler,
        before -> new StoredHandlerSettings(policy, before.maxUnfinished(), before.keyPolicy()));
  }

  default void setKeyPolicy(TaskHandler handler, OrderingKeyPolicy policy) {
    changeHandler(
        handler,
        before -> new StoredHandlerSettings(before.retryPolicy(), before.maxUnfinished(), policy));
  }

  /**
   * Sets the most unfinished tasks of a handler.
   *
   * @param maxUnfinished null for any number
   */
  default void setQuota(TaskHandler handler, @Nullable Long maxUnfinished) {
    changeHandler(
        handler,
        before ->
            new StoredHandlerSettings(before.retryPolicy(), maxUnfinished, before.keyPolicy()));
  }

  /**
   * Changes the limit of a queue; concurrent changes are serialized. The limit applies to the next
   * claim and counts the tasks that workers perform already.
   *
   * @param change computes the new limit from the present one, which may be {@link
   *     TaskQueueLimit#NONE}
   * @return the new limit and its use
   */
  QueueUse changeLimit(QueueId queue, UnaryOperator<TaskQueueLimit> change);

  /** Sets the limit of a queue. */
  default void setLimit(QueueId queue, TaskQueueLimit limit) {
    changeLimit(queue, _ -> limit);
  }

  /** The limits of all limited queues, with their use. */
  Map<QueueId, QueueUse> limits();
}
