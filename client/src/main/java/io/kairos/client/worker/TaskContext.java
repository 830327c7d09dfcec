package io.kairos.client.worker;

import io.kairos.client.TaskId;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * What a handler knows of the attempt that it makes. Thread-safe; valid until the handler returns.
 */
public interface TaskContext {
  TaskId taskId();

  /** The name under which the handler is registered. */
  String handler();

  /**
   * Grows with each claim of this task; the fences of two tasks say nothing about each other. Give
   * it to whoever keeps the effect and can refuse a lower one than it has seen: then a worker that
   * was stopped for longer than its lease, and does not know it yet, does no harm. {@link
   * FencedWrites} does that for a database.
   */
  long fence();

  /** Counted from 1. */
  int attempt();

  /** 0 to 100, higher is sooner. */
  int priority();

  /** The earliest instant at which it was to run. */
  Instant dueAt();

  /** Its ordering key. */
  Optional<String> key();

  /** The collection it belongs to. */
  Optional<String> collection();

  /** W3C trace context of who scheduled it: the parent of a span for this attempt. */
  Optional<String> traceparent();

  String workerName();

  /**
   * For how long from now nobody else can claim the task, as far as this worker knows: the lease,
   * counted from the sending of the last claim or heartbeat that a node acknowledged. Not positive
   * when it is over.
   */
  Duration leaseLeft();

  /** The handler is to stop as soon as it can. Its thread has been interrupted, too. */
  boolean isCancelled();

  /** Empty while it is not cancelled. */
  Optional<CancelReason> cancelReason();

  /**
   * Runs {@code action} once when the attempt is cancelled, on a thread of its own; at once, on the
   * caller's thread, when it is cancelled already. For work that no interrupt reaches.
   */
  void onCancel(Runnable action);

  /** Throws {@link java.util.concurrent.CancellationException} when it is cancelled. */
  void throwIfCancelled();
}
