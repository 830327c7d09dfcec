package io.kairos.engine.task.port;

import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.batch.BatchId;
import io.kairos.domain.task.queue.TaskHandler;
import java.time.Duration;
import java.util.List;

/** The result of a request to store tasks. */
public sealed interface InsertResult {
  /**
   * All tasks are stored now, or were stored before; the receipts are in the order of the request.
   */
  record Stored(List<TaskReceipt> receipts) implements InsertResult {
    public Stored {
      receipts = List.copyOf(receipts);
    }
  }

  /**
   * Nothing was stored: an idempotency key is taken.
   *
   * @param index index of the arrival with this key
   * @param existing the task that has the key
   */
  record Conflict(int index, TaskId existing, Reason reason) implements InsertResult {}

  /** The reason why a taken key is a conflict. */
  enum Reason {
    /** The request asked for a conflict. */
    EXISTS,
    /** The existing task should be replaced, but is being performed or has ended. */
    NOT_WAITING,
    /**
     * The existing task should be replaced, but has an ordering key, and other tasks may wait for
     * it.
     */
    ORDERED
  }

  /**
   * Nothing was stored: the handler's quota of unfinished tasks is used up.
   *
   * @param retryAfter wait before a retry
   */
  record Exhausted(TaskHandler handler, Duration retryAfter) implements InsertResult {}

  /**
   * Nothing was stored: the predecessor of an edge, a task or a batch, is not known. It has never
   * been stored, or has been removed from the history.
   *
   * @param edge index of the edge
   */
  record UnknownPredecessor(int edge, TaskId predecessor) implements InsertResult {}

  /**
   * Nothing was stored: tasks may wait for others only when all nodes know that, and nodes of
   * earlier versions run.
   *
   * @param nodes how many such nodes run
   */
  record OlderNodes(int nodes) implements InsertResult {}

  /**
   * Nothing was stored: a batch does not take a task.
   *
   * @param index index of the first arrival that it does not take
   */
  record NotInBatch(int index, BatchId batch, BatchReason reason) implements InsertResult {}

  /** The reason why a batch does not take a task. */
  enum BatchReason {
    /** There is no such batch, or it has been removed. */
    UNKNOWN,
    /** No more tasks may join it. */
    CLOSED,
    /** It would have more than {@link io.kairos.domain.task.batch.BatchCounts#MOST_TASKS}. */
    FULL,
    /** It is a batch of another handler. */
    OF_OTHER_HANDLER
  }

  /** Nothing was stored: a queue is new, and the number of queues has reached its bound. */
  record TooManyQueues() implements InsertResult {}

  /**
   * Nothing was stored: another transaction has locked an idempotency key, an ordering key, a queue
   * or a quota of the request for too long.
   */
  record Busy() implements InsertResult {}

  /**
   * Nothing was stored: a queue of this request, or of one that was stored with it, has been
   * retired because it held nothing. Its number has to be asked for again.
   */
  record QueueRetired() implements InsertResult {}
}
