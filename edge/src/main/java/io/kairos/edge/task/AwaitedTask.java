package io.kairos.edge.task;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.kairos.engine.task.edge.TaskEdge.Waiting;
import org.jspecify.annotations.Nullable;

/**
 * A call that waits for a task to end, from before its wait has begun in the engine: its time may
 * be over, or its caller gone, while the task is looked up. Thread-safe.
 */
final class AwaitedTask {
  @GuardedBy("this")
  private @Nullable Waiting waiting;

  @GuardedBy("this")
  private boolean ended;

  /** The engine has begun the wait, which ends at once when that was asked for meanwhile. */
  void begin(Waiting begun) {
    synchronized (this) {
      waiting = begun;
      if (!ended) {
        return;
      }
    }
    begun.end();
  }

  /** Ends the wait, which is then answered without the task. */
  void end() {
    Waiting begun;
    synchronized (this) {
      ended = true;
      begun = waiting;
    }
    if (begun != null) {
      begun.end();
    }
  }
}
