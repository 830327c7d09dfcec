package io.kairos.engine.task.port;

import io.kairos.domain.task.KeyId;
import io.kairos.domain.task.OrderingKey;
import io.kairos.domain.task.TaskHandler;
import io.kairos.domain.task.TaskId;

/**
 * A key whose tasks wait for a head that fails.
 *
 * @param head what has failed
 * @param waiting unfinished tasks of the key behind the head, counted to {@value #MOST_COUNTED}
 * @param error how the head failed last; empty when that is forgotten
 */
public record StuckKey(
    KeyId id,
    TaskHandler handler,
    OrderingKey key,
    Reason reason,
    TaskId head,
    int waiting,
    String error) {
  /** A number of waiting tasks that stands for itself and all above. */
  public static final int MOST_COUNTED = 10_001;

  /** Why its tasks wait; what needs an operator first. */
  public enum Reason {
    /** The head has failed for good; an operator decides. */
    HEAD_FAILED,
    /** The head waits for another attempt. */
    HEAD_IS_RETRIED
  }

  /** Where the list goes on after it. */
  public KeyQuery.Place place() {
    return new KeyQuery.Place(reason, id);
  }
}
