package io.kairos.engine.task.port.operator;

import io.kairos.domain.task.OrderingKey;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.queue.CollectionName;
import io.kairos.domain.task.queue.TaskHandler;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Pauses, settings, ordering keys and numbers of handlers, for operators: the store keeps them, and
 * a node applies changes at once.
 */
public interface HandlerOperations {
  /**
   * Sets or changes a pause. After the return no paused task begins; tasks that workers perform go
   * on.
   */
  void setPause(TaskPause pause);

  /**
   * Ends a pause.
   *
   * @param collection null for the pause of the whole handler
   * @return false when there is no such pause
   */
  boolean endPause(TaskHandler handler, @Nullable CollectionName collection);

  /** Every pause in force, by handler and collection. */
  List<TaskPause.Active> pauses();

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

  /**
   * Keys that are blocked because their head has failed for good, then keys whose head waits for a
   * retry; both in the order of their numbers.
   */
  List<BlockedKey> stuckKeys(KeyQuery query);

  /**
   * Lets the key go on without its failing head. A head that waits for another attempt ends as
   * dead, regardless of the handler's policy for dead heads.
   *
   * @param expected the head that is meant; null for whichever it is
   */
  HeadResult skipHead(TaskHandler handler, OrderingKey key, @Nullable TaskId expected);

  /** Skips the head, whichever it is. */
  default HeadResult skipHead(TaskHandler handler, OrderingKey key) {
    return skipHead(handler, key, null);
  }

  /**
   * Retries the failing head of a key at once. A head that has failed for good is redriven with its
   * attempts counted from zero.
   *
   * @param expected the head that is meant; null for whichever it is
   */
  HeadResult retryHead(TaskHandler handler, OrderingKey key, @Nullable TaskId expected);

  /** Retries the head, whichever it is. */
  default HeadResult retryHead(TaskHandler handler, OrderingKey key) {
    return retryHead(handler, key, null);
  }

  /**
   * Returns failed tasks to waiting for a new first attempt, under their ids and with growing
   * fences.
   */
  RedriveResult redrive(RedriveRequest request);

  /** Groups of failed and dead tasks, found among those that ended last. */
  FailureGroup.Listing failures(FailureGroup.Query query);

  /**
   * Numbers of tasks by handler, in the order of names, of those that have a queue or that workers
   * ask for.
   *
   * @param after lists only handlers that follow this one; null for the first
   * @param limit most handlers to list
   */
  List<HandlerCounts> numbers(
      HandlerPatterns which,
      @Nullable TaskHandler after,
      int limit,
      HandlerCounts.Counting counting);

  /** Numbers of tasks of one handler; empty when it has no queue and nobody asks for it. */
  Optional<HandlerCounts> numbers(TaskHandler handler);
}
