package io.kairos.client;

import io.kairos.api.text.ProtoTime;
import io.kairos.client.task.RetryPolicy;
import io.kairos.client.task.TaskId;
import io.kairos.client.task.TaskState;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A task as a node returned it. Immutable. */
public final class Task {
  private final io.kairos.api.v1.Task wire;

  Task(io.kairos.api.v1.Task wire) {
    this.wire = wire;
  }

  /**
   * The failure of one attempt.
   *
   * @param attempt number of the attempt, from 1
   * @param at when the attempt ended
   * @param error error text, at most 2,000 characters
   */
  public record Failure(int attempt, Instant at, String error) {}

  public TaskId id() {
    return TaskId.of(wire.getId());
  }

  public String handler() {
    return wire.getHandler();
  }

  /** 0 to 100, higher priorities first. */
  public int priority() {
    return wire.getPriority();
  }

  public TaskState state() {
    return TaskProtos.state(wire.getState());
  }

  /** The earliest instant at which it may run. */
  public Instant runAt() {
    return ProtoTime.of(wire.getRunAt());
  }

  /** Returns a copy of the payload; empty in lists. */
  public byte[] payload() {
    return wire.getPayload().toByteArray();
  }

  /** Number of attempts begun so far. */
  public int attempt() {
    return wire.getAttempt();
  }

  public RetryPolicy retryPolicy() {
    return TaskProtos.retryPolicy(wire.getRetryPolicy());
  }

  public Instant createdAt() {
    return ProtoTime.of(wire.getCreatedAt());
  }

  /**
   * When the task changes next by itself: its due time, its next retry or the end of its lease;
   * null when it is finished.
   */
  public @Nullable Instant nextTrigger() {
    return TaskProtos.orNull(wire.hasNextTrigger(), wire.getNextTrigger());
  }

  /** When the task finished; null before that. */
  public @Nullable Instant finishedAt() {
    return TaskProtos.orNull(wire.hasFinishedAt(), wire.getFinishedAt());
  }

  /** Failures of attempts, at most ten, the latest last. */
  public List<Failure> failures() {
    return wire.getFailuresList().stream()
        .map(one -> new Failure(one.getAttempt(), ProtoTime.of(one.getAt()), one.getError()))
        .toList();
  }

  /**
   * Holder of the lease: a node while the task is enqueued, a worker while it is being performed;
   * empty for none.
   */
  public String holder() {
    return wire.getHolder();
  }

  /** True when a cancel was requested while the task was being performed. */
  public boolean cancelRequested() {
    return wire.getCancelRequested();
  }

  /** Ordering key; empty for none. */
  public String key() {
    return wire.getKey();
  }

  /** Collection (a label) of the task; empty for none. */
  public String collection() {
    return wire.getCollection();
  }

  /** No attempt begins after this time; null for no deadline. */
  public @Nullable Instant startDeadline() {
    return TaskProtos.orNull(wire.hasStartDeadline(), wire.getStartDeadline());
  }

  /**
   * Result that the successful attempt reported, such as the answer of a pool's endpoint; empty for
   * none.
   */
  public String result() {
    return wire.getResult();
  }

  /** Without the payload, which may be secret. */
  @Override
  public String toString() {
    return handler() + " " + wire.getId() + " " + wire.getState();
  }
}
