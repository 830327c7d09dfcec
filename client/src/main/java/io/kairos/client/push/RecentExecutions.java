package io.kairos.client.push;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Remembers the latest executions that this process has done, so that repeats are answered without
 * being performed. The memory ends with the process, so repeats after a restart are performed
 * again; {@link StoredExecutions} prevents these too. Thread-safe.
 */
public final class RecentExecutions {
  /** State of an execution at {@link #begin}. */
  public enum State {
    /**
     * No thread performs the execution: the caller performs it, and then calls {@link #done} or
     * {@link #failed}.
     */
    FIRST,
    /** Another thread performs the execution. */
    RUNNING,
    /** The execution has been done. */
    DONE
  }

  @GuardedBy("this")
  private final Map<String, Boolean> done = new LinkedHashMap<>();

  private final int most;

  /**
   * Creates an empty memory.
   *
   * @param most number of executions to remember, about 150 bytes each
   */
  public RecentExecutions(int most) {
    if (most < 1) {
      throw new IllegalArgumentException("most must be at least 1");
    }
    this.most = most;
  }

  /** Begins an execution. Call it before performing one. */
  public synchronized State begin(String executionId) {
    Boolean known = done.putIfAbsent(executionId, false);
    if (known == null) {
      return State.FIRST;
    }
    return known ? State.DONE : State.RUNNING;
  }

  /** Records that an execution has been done. */
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

  /** Records that an execution was not done; its repeat counts as the first again. */
  public synchronized void failed(String executionId) {
    done.remove(executionId);
  }

  /** Calls {@link #done} or {@link #failed}. */
  void ended(String executionId, boolean isDone) {
    if (isDone) {
      done(executionId);
    } else {
      failed(executionId);
    }
  }
}
