package io.kairos.client.worker;

import io.kairos.client.handler.TaskContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/**
 * The keys of an attempt in the MDC of the thread that performs it, with what the thread had under
 * these keys before. Used on that thread only.
 */
final class AttemptLogKeys {
  static final String TASK = "kairos.task.id";
  static final String HANDLER = "kairos.handler";
  static final String ATTEMPT = "kairos.attempt";

  private final @Nullable String task = MDC.get(TASK);
  private final @Nullable String handler = MDC.get(HANDLER);
  private final @Nullable String attempt = MDC.get(ATTEMPT);

  private AttemptLogKeys() {}

  /** Sets the keys of an attempt on this thread. */
  static AttemptLogKeys put(TaskContext context) {
    AttemptLogKeys before = new AttemptLogKeys();
    MDC.put(TASK, context.taskId().toString());
    MDC.put(HANDLER, context.handler());
    MDC.put(ATTEMPT, Integer.toString(context.attempt()));
    return before;
  }

  /** Restores what the thread had before. */
  void restore() {
    restore(TASK, task);
    restore(HANDLER, handler);
    restore(ATTEMPT, attempt);
  }

  private static void restore(String key, @Nullable String before) {
    if (before == null) {
      MDC.remove(key);
    } else {
      MDC.put(key, before);
    }
  }
}
