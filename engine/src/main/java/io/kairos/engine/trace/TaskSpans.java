package io.kairos.engine.trace;

import io.kairos.domain.task.AttemptEnd;
import io.kairos.domain.task.FencedTask;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.TraceContext;
import io.kairos.domain.task.queue.QueueName;
import io.kairos.engine.task.edge.ClaimedTask;

/**
 * Listener to what a node does with tasks whose callers record a trace. A task that waits has no
 * span: the pause between two spans shows it. Called on the engine's threads; must not block.
 */
public interface TaskSpans {
  /** Wants nothing. */
  TaskSpans NONE = new TaskSpans() {};

  /** False when no spans are wanted; then nothing else is called. */
  default boolean isOn() {
    return false;
  }

  /**
   * A task is durable.
   *
   * @param during from the arrival of its call to the answer
   */
  default void accepted(Accepted task, TraceContext caller, SpanPeriod during) {}

  /**
   * A task that was accepted.
   *
   * @param dueMicros microseconds since 1970
   * @param isDuplicate true when it had been stored before
   */
  record Accepted(TaskId id, QueueName queue, long dueMicros, boolean isDuplicate) {}

  /**
   * A task was handed to a worker.
   *
   * @param readyMicros its due time, or the time of its retry, microseconds since 1970
   * @param during from the start of the claim to the hand-out
   */
  default void handedOut(
      ClaimedTask task, TraceContext caller, String worker, long readyMicros, SpanPeriod during) {}

  /**
   * The end of an attempt is durable.
   *
   * @param task with the fence of the attempt
   * @param during the store's call, with what it waited for
   */
  default void settled(FencedTask task, TraceContext caller, AttemptEnd end, SpanPeriod during) {}

  /**
   * An attempt was taken from a worker whose lease lapsed, or which took longer than the task's
   * execution timeout.
   */
  default void lapsed(FencedTask task, TraceContext caller, AttemptEnd end, SpanPeriod during) {}
}
