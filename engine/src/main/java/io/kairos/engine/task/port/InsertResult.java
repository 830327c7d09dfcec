package io.kairos.engine.task.port;

import io.kairos.domain.task.TaskHandler;
import io.kairos.domain.task.TaskId;
import java.time.Duration;
import java.util.List;

/** What became of a request to store tasks. */
public sealed interface InsertResult {
  /** All of them are stored, or had been before. In the order of the request. */
  record Stored(List<Receipt> receipts) implements InsertResult {
    public Stored {
      receipts = List.copyOf(receipts);
    }
  }

  /**
   * Nothing was stored: an idempotency key is taken.
   *
   * @param index of the arrival that carries it
   * @param existing the task that has it
   */
  record Conflict(int index, TaskId existing, Reason reason) implements InsertResult {}

  /** Why a key that is taken is a conflict. */
  enum Reason {
    /** The request wanted to know. */
    EXISTS,
    /** It should be replaced, but is being performed or has ended. */
    NOT_WAITING,
    /** It should be replaced, but has an ordering key, and others may be waiting for it. */
    ORDERED
  }

  /**
   * Nothing was stored: the handler has as many unfinished tasks as it may have.
   *
   * @param retryAfter when to try again
   */
  record Exhausted(TaskHandler handler, Duration retryAfter) implements InsertResult {}

  /** Nothing was stored: its queue is new, and there are as many as there may be. */
  record TooManyQueues() implements InsertResult {}

  /**
   * Nothing was stored: a transaction of somebody else, who takes his time, has an idempotency key,
   * an ordering key, a queue or a quota of it.
   */
  record Busy() implements InsertResult {}
}
