package io.kairos.client.worker;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.kairos.api.text.ProtoTime;
import io.kairos.api.v1.Progress;
import io.kairos.api.v1.Work;
import io.kairos.client.encryption.MessageEncryption;
import io.kairos.client.handler.CancelReason;
import io.kairos.client.handler.FatalFailure;
import io.kairos.client.handler.TaskContext;
import io.kairos.client.task.Predecessor;
import io.kairos.client.task.TaskId;
import io.kairos.client.task.TaskResult;
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
 * One execution of a handler; the handler sees it as its context. The executor thread begins and
 * ends it, and any thread may cancel it. The executor thread is interrupted only while it runs the
 * handler.
 */
final class HandlerRun implements TaskContext {
  private static final int MOST_NOTE = 500;

  private final Work work;
  private final HandlerRegistration<?> registration;
  private final String workerName;
  private final LongSupplier leaseLeftNanos;
  private final MessageEncryption encryption;

  private volatile @Nullable TaskResult result;

  /** As it is sent, encrypted; null before the handler has said any. */
  private volatile @Nullable Progress progress;

  /** The progress that a node has acknowledged. */
  private volatile @Nullable Progress acknowledged;

  // Written under the lock, read without.
  private volatile @Nullable CancelReason reason;
  private volatile boolean ended;

  /** Set under the lock of the {@link WorkerBoard}, before the end. */
  private volatile boolean abandoned;

  @GuardedBy("this")
  private @Nullable Thread thread;

  @GuardedBy("this")
  private final List<Runnable> onCancel = new ArrayList<>(0);

  /** True from the abandonment until the listener has been told of it. */
  @GuardedBy("this")
  private boolean untold;

  /** Waits until the listener has been told of the abandonment; null for nothing. */
  @GuardedBy("this")
  private @Nullable Runnable afterTelling;

  /**
   * @param leaseLeftNanos nanoseconds left of the lease; called on any thread
   * @param encryption of the notes of its progress
   */
  HandlerRun(
      Work work,
      HandlerRegistration<?> registration,
      String workerName,
      LongSupplier leaseLeftNanos,
      MessageEncryption encryption) {
    this.work = work;
    this.encryption = encryption;
    this.leaseLeftNanos = leaseLeftNanos;
    this.registration = registration;
    this.workerName = workerName;
  }

  HandlerRegistration<?> registration() {
    return registration;
  }

  /** Begins the run; called on the thread that runs the handler. */
  synchronized void begin() {
    thread = Thread.currentThread();
    if (reason != null) {
      thread.interrupt();
    }
  }

  /**
   * Ends the run; called on the thread that ran the handler. From now on that thread is not
   * interrupted, and a pending interrupt is cleared.
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
   * Marks a run that goes on although its lease was lost and its grace time is over. The caller
   * tells the listener, and calls {@link #abandonmentTold} after that.
   */
  synchronized void abandon() {
    abandoned = true;
    untold = true;
  }

  boolean isAbandoned() {
    return abandoned;
  }

  /** Runs what waited in {@link #afterAbandonment}, on the caller's thread. */
  void abandonmentTold() {
    Runnable waiting;
    synchronized (this) {
      untold = false;
      waiting = afterTelling;
      afterTelling = null;
    }
    if (waiting != null) {
      waiting.run();
    }
  }

  /**
   * Runs the action now, or, while the listener is being told on another thread that this run is
   * abandoned, after that on that thread. So the listener hears of the abandonment first. Called at
   * most once, on the executor's thread.
   */
  void afterAbandonment(Runnable action) {
    synchronized (this) {
      if (untold) {
        afterTelling = action;
        return;
      }
    }
    action.run();
  }

  /**
   * Cancels the run. The first reason stays, except that a lost lease overrides all others and
   * interrupts again.
   *
   * @param callbacks runs the actions that the handler has registered
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
  public void result(TaskResult value) {
    if (value.bytes() > TaskResult.MOST_BYTES) {
      throw tooLarge(value.bytes());
    }
    result = value;
  }

  static FatalFailure tooLarge(int bytes) {
    return new FatalFailure(
        "performed, but its result has %,d bytes: keep it elsewhere, and return where; at most %,d are kept"
            .formatted(bytes, TaskResult.MOST_BYTES),
        null,
        "result too large");
  }

  /** The value that the handler has set; null for none. */
  @Nullable TaskResult givenResult() {
    return result;
  }

  @Override
  public void progress(int percent, String note) {
    String kept =
        note.length() <= MOST_NOTE
            ? note
            : note.substring(
                0,
                Character.isHighSurrogate(note.charAt(MOST_NOTE - 1)) ? MOST_NOTE - 1 : MOST_NOTE);
    progress =
        Progress.newBuilder()
            .setPercent(Math.max(0, Math.min(100, percent)))
            .setNote(encryption.encryptedNote(work.getHandler(), work.getId(), kept))
            .build();
  }

  /** The progress that no node has acknowledged; null for none. */
  @Nullable Progress unsentProgress() {
    Progress said = progress;
    return said == null || said.equals(acknowledged) ? null : said;
  }

  /** A node has noted this progress. */
  void progressNoted(Progress noted) {
    acknowledged = noted;
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
    return ProtoTime.of(work.getRunAt());
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
  public List<Predecessor> predecessors() {
    return WorkPredecessors.of(work, encryption);
  }

  @Override
  public boolean hasMorePredecessors() {
    return work.getMorePredecessors();
  }

  @Override
  public String workerName() {
    return workerName;
  }

  @Override
  public Duration leaseLeft() {
    return Duration.ofNanos(leaseLeftNanos.getAsLong());
  }

  /** Maximum duration of the attempt; null for no limit. */
  @Nullable Duration executionTimeout() {
    return work.hasExecutionTimeout() ? ProtoTime.of(work.getExecutionTimeout()) : null;
  }
}
