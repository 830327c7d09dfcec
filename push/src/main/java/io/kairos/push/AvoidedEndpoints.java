package io.kairos.push;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.kairos.domain.task.TaskId;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Remembers for a task the endpoint that did not answer its last attempt, so that the next attempt
 * prefers another. A preference of this node only, for its latest {@value #MOST} such tasks.
 * Thread-safe.
 */
final class AvoidedEndpoints {
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
