package io.kairos.client.push;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Remembers which executions this process has done, the latest of them: a repeat is answered
 * without being performed. Forgets when the process ends, so it makes a receiver weakly idempotent;
 * {@link StoredExecutions} makes it strongly so. Thread-safe.
 */
public final class RecentExecutions {
  /** What {@link #begin} finds. */
  public enum State {
    /** Nobody does it: the caller is to, and then says {@link #done} or {@link #failed}. */
    FIRST,
    /** Another thread is at it. */
    RUNNING,
    /** It has been done. */
    DONE
  }

  @GuardedBy("this")
  private final Map<String, Boolean> done = new LinkedHashMap<>();

  private final int most;

  /**
   * Remembers none yet.
   *
   * @param most how many it remembers, about 150 bytes each
   */
  public RecentExecutions(int most) {
    if (most < 1) {
      throw new IllegalArgumentException("most must be at least 1");
    }
    this.most = most;
  }

  /** To be called before an execution is performed. */
  public synchronized State begin(String executionId) {
    Boolean known = done.putIfAbsent(executionId, false);
    if (known == null) {
      return State.FIRST;
    }
    return known ? State.DONE : State.RUNNING;
  }

  /** It has been performed. */
  public synchronized void done(String executionId) {
    done.remove(executionId);
    done.put(executionId, true); // the latest
    var oldest = done.entrySet().iterator();
    while (done.size() > most && oldest.hasNext()) {
      if (oldest.next().getValue()) {
        oldest.remove();
      }
    }
  }

  /** It has not been performed, or not to its end: a repeat is the first again. */
  public synchronized void failed(String executionId) {
    done.remove(executionId);
  }
}
