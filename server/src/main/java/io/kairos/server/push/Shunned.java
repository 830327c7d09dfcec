package io.kairos.server.push;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.kairos.domain.task.TaskId;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Which endpoint did not answer a task last, so that its next attempt prefers another. Only a
 * preference, of this node: the latest are remembered. Thread-safe.
 */
final class Shunned {
  private static final int MOST = 10_000;

  private final ReentrantLock lock = new ReentrantLock();

  @GuardedBy("lock")
  private final Map<TaskId, String> endpoints =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<TaskId, String> eldest) {
          return size() > MOST;
        }
      };

  void add(TaskId task, String endpoint) {
    lock.lock();
    try {
      endpoints.put(task, endpoint);
    } finally {
      lock.unlock();
    }
  }

  Optional<String> of(TaskId task) {
    lock.lock();
    try {
      return Optional.ofNullable(endpoints.get(task));
    } finally {
      lock.unlock();
    }
  }
}
