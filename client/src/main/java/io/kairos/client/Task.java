package io.kairos.client;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A task as a node knew it when it was asked: a view of the answer. Immutable. */
public final class Task {
  private final io.kairos.api.v1.Task wire;

  Task(io.kairos.api.v1.Task wire) {
    this.wire = wire;
  }

  /**
   * How one attempt failed.
   *
   * @param error at most 2,000 characters
   */
  public record Failure(int attempt, Instant at, String error) {}

  public TaskId id() {
    return TaskId.of(wire.getId());
  }

  public String handler() {
    return wire.getHandler();
  }

  /** 0 to 100, higher is sooner. */
  public int priority() {
    return wire.getPriority();
  }

  public TaskState state() {
    return Protos.state(wire.getState());
  }

  /** The earliest instant at which it may run. */
  public Instant runAt() {
    return Protos.instant(wire.getRunAt());
  }

  /** A copy; empty in lists. */
  public byte[] payload() {
    return wire.getPayload().toByteArray();
  }

  /** Attempts that were begun so far. */
  public int attempt() {
    return wire.getAttempt();
  }

  public RetryPolicy retryPolicy() {
    return Protos.retryPolicy(wire.getRetryPolicy());
  }

  public Instant createdAt() {
    return Protos.instant(wire.getCreatedAt());
  }

  /** When anybody may act on it next; null when it is finished. */
  public @Nullable Instant nextTrigger() {
    return Protos.orNull(wire.hasNextTrigger(), wire.getNextTrigger());
  }

  /** Null while it is not finished. */
  public @Nullable Instant finishedAt() {
    return Protos.orNull(wire.hasFinishedAt(), wire.getFinishedAt());
  }

  /** How attempts failed, the latest last, at most ten. */
  public List<Failure> failures() {
    return wire.getFailuresList().stream()
        .map(one -> new Failure(one.getAttempt(), Protos.instant(one.getAt()), one.getError()))
        .toList();
  }

  /**
   * Who holds it: a node while enqueued, a worker while it is being performed; empty for nobody.
   */
  public String holder() {
    return wire.getHolder();
  }

  /** A cancel was asked for while it was being performed. */
  public boolean cancelRequested() {
    return wire.getCancelRequested();
  }

  /** Its ordering key; empty for none. */
  public String key() {
    return wire.getKey();
  }

  /** Empty for none. */
  public String collection() {
    return wire.getCollection();
  }

  /** No attempt begins after it; null for no such bound. */
  public @Nullable Instant startDeadline() {
    return Protos.orNull(wire.hasStartDeadline(), wire.getStartDeadline());
  }

  /**
   * What its last attempt said as it succeeded, such as the answer of a pool's endpoint; empty for
   * nothing.
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
