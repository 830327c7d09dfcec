package io.kairos.client.handler;

import io.kairos.client.task.Predecessor;
import io.kairos.client.task.TaskId;
import io.kairos.client.task.TaskResult;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The attempt that a handler makes: its task, lease and cancellation. Thread-safe; valid until the
 * handler returns.
 */
public interface TaskContext {
  TaskId taskId();

  /** The name under which the handler is registered. */
  String handler();

  /**
   * Fencing token, which grows with each claim of this task; fences of two tasks cannot be
   * compared. Store it with the effect, and refuse writes with a lower fence than the stored one:
   * then a worker that was suspended for longer than its lease does no harm. {@link FencedWrites}
   * does that for a database.
   */
  long fence();

  /** Number of the attempt, from 1. */
  int attempt();

  /** 0 to 100, higher priorities first. */
  int priority();

  /** Due time of the task. */
  Instant dueAt();

  /** Ordering key of the task; empty for none. */
  Optional<String> key();

  /** Collection (a label) of the task; empty for none. */
  Optional<String> collection();

  /**
   * W3C trace context of the caller that scheduled the task, as the parent of a span for this
   * attempt, or of that span where the worker has an interceptor that makes one; empty for none.
   */
  Optional<String> traceparent();

  /**
   * Returns this context with another W3C trace context, for a {@link HandlerInterceptor} that
   * makes a span for the attempt: programs and executor processes get that span as their parent.
   */
  default TaskContext withTraceparent(String traceparent) {
    return new RetracedContext(this, traceparent);
  }

  /**
   * What the task has waited for, by their ids, as it was when the task was claimed: at most 1,000
   * predecessors, with at most 256 KiB of results, the smallest first, and less when many tasks are
   * handed out together. Empty for a task without predecessors. The client's {@code predecessors}
   * asks for what is left out here.
   */
  default List<Predecessor> predecessors() {
    return List.of();
  }

  /**
   * True when there are more predecessors than {@link #predecessors} has; the client's {@code
   * predecessors} asks for the others.
   */
  default boolean hasMorePredecessors() {
    return false;
  }

  String workerName();

  /**
   * Time left of the lease, during which no other worker can claim the task. It is counted from the
   * sending of the last claim or heartbeat that a node acknowledged. Zero or negative when the
   * lease has ended.
   */
  Duration leaseLeft();

  /** True when the handler should stop as soon as it can. Its thread has been interrupted too. */
  boolean isCancelled();

  /** Why the attempt is cancelled; empty while it is not cancelled. */
  Optional<CancelReason> cancelReason();

  /**
   * Runs {@code action} once when the attempt is cancelled, on a separate thread, or at once on the
   * caller's thread when the attempt is already cancelled. For work that interrupts do not stop.
   */
  void onCancel(Runnable action);

  /**
   * Sets the value that the task ends with if this attempt succeeds, instead of one that was set
   * before. Throws {@link FatalFailure} when it has more than {@link TaskResult#MOST_BYTES} bytes.
   */
  default void result(TaskResult value) {
    throw new UnsupportedOperationException("this context takes no result");
  }

  /**
   * Says how far the attempt has come. Nodes are told with the next heartbeat, about once a second,
   * and keep the latest for as long as the attempt lasts. Costs nothing until then, so it may be
   * called often.
   *
   * @param percent 0 to 100; other numbers count as the nearest of these
   * @param note for people, empty for none; the first 500 characters are kept
   */
  default void progress(int percent, String note) {
    throw new UnsupportedOperationException("this context takes no progress");
  }

  /** Says how far the attempt has come, without a note. */
  default void progress(int percent) {
    progress(percent, "");
  }

  /** Throws {@link java.util.concurrent.CancellationException} when the attempt is cancelled. */
  void throwIfCancelled();
}
