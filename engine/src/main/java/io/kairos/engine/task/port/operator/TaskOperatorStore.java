package io.kairos.engine.task.port.operator;

import io.kairos.domain.task.OrderingKey;
import io.kairos.domain.task.OrderingKeyPolicy;
import io.kairos.domain.task.RetryPolicy;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.queue.CollectionName;
import io.kairos.domain.task.queue.QueueId;
import io.kairos.domain.task.queue.TaskHandler;
import io.kairos.domain.task.queue.TaskQueueLimit;
import io.kairos.engine.task.port.TaskStore;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The part of the {@link TaskStore} that operators and edge calls use: finding and changing tasks,
 * and the settings of handlers, queues and ordering keys, which apply to all nodes.
 */
public interface TaskOperatorStore extends QueueNumberStore {
  /** Cancels a waiting task; requests the cancellation of a task that a worker performs. */
  CancelResult cancel(TaskId id);

  /**
   * Gives a task that is not being performed another due time and no holder.
   *
   * @return false when the task is being performed, has ended, is unknown, or would be due after
   *     its start deadline
   */
  boolean reschedule(TaskId id, long dueMicros);

  Optional<TaskView> find(TaskId id);

  TaskListing list(ListQuery query);

  StoredHandlerSettings settings(TaskHandler handler);

  /**
   * Changes the settings of a handler, all or nothing; concurrent changes are serialized. A retry
   * policy applies to the next failure of every task without its own policy. A key policy applies
   * to the next claim, and tasks that may begin now are unblocked. A quota applies to the next
   * accepted task, and the existing tasks are counted.
   *
   * @param change computes the new settings; unchanged settings are not written, and nothing is
   *     changed when it throws
   * @return the new settings
   */
  StoredHandlerSettings changeHandler(
      TaskHandler handler, UnaryOperator<StoredHandlerSettings> change);

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
   * Keys that are blocked because their head has failed for good, then keys whose head waits for a
   * retry; both in the order of their numbers.
   */
  List<BlockedKey> stuckKeys(KeyQuery query);

  /**
   * Lets the key go on without its failing head. A head that waits for another attempt ends as
   * dead, regardless of the handler's policy for dead heads.
   */
  HeadResult skipHead(TaskHandler handler, OrderingKey key);

  /**
   * Retries the failing head of a key at once. A head that has failed for good is redriven with its
   * attempts counted from zero.
   */
  HeadResult retryHead(TaskHandler handler, OrderingKey key);

  /**
   * Sets or changes a pause. After the return no paused task begins; tasks that workers perform go
   * on.
   */
  void setGate(TaskPause gate);

  /**
   * Ends a pause.
   *
   * @param collection null for the pause of the whole handler
   * @return false when there is no such pause
   */
  boolean liftGate(TaskHandler handler, @Nullable CollectionName collection);

  /** Every pause in force, by handler and collection. */
  List<TaskPause.Closed> gates();

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

  /**
   * Returns failed tasks to waiting for a new first attempt, under their ids and with growing
   * fences.
   */
  RedriveResult redrive(RedriveRequest request);

  /**
   * Numbers of tasks by handler, in the order of names.
   *
   * @param handler null for every handler that has a queue or that workers ask for
   * @param after lists only handlers that follow this one; null for the first
   * @param limit most handlers to list
   */
  List<HandlerCounts> numbers(
      @Nullable TaskHandler handler, @Nullable TaskHandler after, int limit);
}
