package io.kairos.server.push;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.kairos.domain.task.TaskId;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Which endpoint did not answer a task last, so that its next attempt prefers another. Only a
 * preference, of this node: the latest are remembered. Thread-safe.
 */
final class Shunned {
  private static final int MOST = 10_000;

  @GuardedBy("this")
  private final Map<TaskId, String> endpoints =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<TaskId, String> eldest) {
          return size() > MOST;
        }
      };

  synchronized void add(TaskId task, String endpoint) {
    endpoints.put(task, endpoint);
  }

  synchronized Optional<String> of(TaskId task) {
    return Optional.ofNullable(endpoints.get(task));
  }
}
