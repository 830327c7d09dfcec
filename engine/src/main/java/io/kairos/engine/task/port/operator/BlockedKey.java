package io.kairos.engine.task.port.operator;

import io.kairos.domain.task.OrderingKey;
import io.kairos.domain.task.OrderingKeyId;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.queue.TaskHandler;

/**
 * An ordering key whose tasks wait for a failing head.
 *
 * @param head the failing task
 * @param waiting number of unfinished tasks behind the head, counted up to {@value #MOST_COUNTED}
 * @param error the head's last failure; empty when it is no longer stored
 */
public record BlockedKey(
    OrderingKeyId id,
    TaskHandler handler,
    OrderingKey key,
    Reason reason,
    TaskId head,
    int waiting,
    String error) {
  /** Stands for this number of waiting tasks or more. */
  public static final int MOST_COUNTED = 10_001;

  /** The reason why the tasks wait. Reasons that need an operator come first. */
  public enum Reason {
    /** The head has failed for good; an operator decides. */
    HEAD_FAILED,
    /** The head waits for another attempt. */
    HEAD_IS_RETRIED
  }

  /** The position of this key in the list. */
  public KeyQuery.PageStart place() {
    return new KeyQuery.PageStart(reason, id);
  }
}
