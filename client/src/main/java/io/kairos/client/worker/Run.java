package io.kairos.client.worker;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import com.google.protobuf.Timestamp;
import io.kairos.api.v1.Work;
import io.kairos.client.TaskId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One execution of a handler, seen by the handler as its context. Begun and ended by its executor,
 * cancelled by any thread: the executor is interrupted only while it runs the handler.
 */
final class Run implements TaskContext {
  private final Work work;
  private final Registration<?> registration;
  private final String workerName;
  private final LongSupplier leaseLeftNanos;

  // Written under the lock, read without.
  private volatile @Nullable CancelReason reason;
  private volatile boolean ended;

  @GuardedBy("this")
  private @Nullable Thread thread;

  @GuardedBy("this")
  private final List<Runnable> onCancel = new ArrayList<>(0);

  /**
   * @param leaseLeftNanos asked on any thread
   */
  Run(Work work, Registration<?> registration, String workerName, LongSupplier leaseLeftNanos) {
    this.work = work;
    this.leaseLeftNanos = leaseLeftNanos;
    this.registration = registration;
    this.workerName = workerName;
  }

  Registration<?> registration() {
    return registration;
  }

  /** On the thread that will run the handler. */
  synchronized void begin() {
    thread = Thread.currentThread();
    if (reason != null) {
      thread.interrupt();
    }
  }

  /**
   * On the same thread. From now on it is not interrupted; an interrupt that came late is taken
   * back.
   */
  synchronized void end() {
    ended = true;
    thread = null;
    onCancel.clear();
    Thread.interrupted();
  }

  boolean hasEnded() {
    return ended;
  }

  /**
   * The first reason stays, but a lost lease overrides all and interrupts again.
   *
   * @param callbacks runs what the handler has registered
   */
  void cancel(CancelReason why, Executor callbacks) {
    List<Runnable> actions = List.of();
    synchronized (this) {
      if (ended || reason == why || (reason != null && why != CancelReason.LEASE_LOST)) {
        return;
      }
      reason = why;
      actions = List.copyOf(onCancel);
      onCancel.clear();
      if (thread != null) {
        thread.interrupt();
      }
    }
    actions.forEach(callbacks::execute);
  }

  @Override
  public void onCancel(Runnable action) {
    synchronized (this) {
      if (ended) {
        return;
      }
      if (reason == null) {
        onCancel.add(action);
        return;
      }
    }
    action.run();
  }

  @Override
  public boolean isCancelled() {
    return reason != null;
  }

  @Override
  public Optional<CancelReason> cancelReason() {
    return Optional.ofNullable(reason);
  }

  @Override
  public void throwIfCancelled() {
    CancelReason why = reason;
    if (why != null) {
      throw new CancellationException("cancelled: " + why);
    }
  }

  @Override
  public TaskId taskId() {
    return TaskId.of(work.getId());
  }

  @Override
  public String handler() {
    return registration.name();
  }

  @Override
  public long fence() {
    return work.getFence();
  }

  @Override
  public int attempt() {
    return work.getAttempt();
  }

  @Override
  public int priority() {
    return work.getPriority();
  }

  @Override
  public Instant dueAt() {
    Timestamp wire = work.getRunAt();
    return Instant.ofEpochSecond(wire.getSeconds(), wire.getNanos());
  }

  @Override
  public Optional<String> key() {
    return given(work.getKey());
  }

  @Override
  public Optional<String> collection() {
    return given(work.getCollection());
  }

  @Override
  public Optional<String> traceparent() {
    return given(work.getTraceparent());
  }

  private static Optional<String> given(String wire) {
    return wire.isEmpty() ? Optional.empty() : Optional.of(wire);
  }

  @Override
  public String workerName() {
    return workerName;
  }

  @Override
  public Duration leaseLeft() {
    return Duration.ofNanos(leaseLeftNanos.getAsLong());
  }

  /** Null when an attempt is not limited. */
  @Nullable Duration executionTimeout() {
    if (!work.hasExecutionTimeout()) {
      return null;
    }
    com.google.protobuf.Duration wire = work.getExecutionTimeout();
    return Duration.ofSeconds(wire.getSeconds(), wire.getNanos());
  }
}
