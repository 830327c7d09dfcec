package io.kairos.engine.task.port;

import io.kairos.domain.task.QueueLimit;

/**
 * A queue that is limited.
 *
 * @param running tasks of it that workers perform
 */
public record QueueUse(QueueLimit limit, int running) {
  /** Of a queue without a limit, where nobody counts. */
  public static final QueueUse NONE = new QueueUse(QueueLimit.NONE, 0);
}
