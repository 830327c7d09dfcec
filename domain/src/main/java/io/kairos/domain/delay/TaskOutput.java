package io.kairos.domain.delay;

import io.kairos.domain.task.HandlerName;

/**
 * The output of a delayed message that becomes a task when it is due: it stands where other
 * messages have an output topic, and can be the name of none.
 */
public final class TaskOutput {
  private static final String PREFIX = "task:";

  private TaskOutput() {}

  /** Tasks of this handler. */
  public static String of(HandlerName handler) {
    return PREFIX + handler;
  }

  /** Whether an output stands for tasks instead of a topic. */
  public static boolean isOne(String output) {
    return output.startsWith(PREFIX);
  }

  /** Whose tasks an output stands for: also a handler that is of a pool. */
  public static HandlerName handler(String output) {
    return new HandlerName(output.substring(PREFIX.length()));
  }
}
