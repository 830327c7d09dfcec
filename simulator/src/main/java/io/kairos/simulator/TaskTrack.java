package io.kairos.simulator;

import static java.util.Objects.requireNonNull;

import io.kairos.domain.task.Idempotency;
import io.kairos.domain.task.Idempotency.OnConflict;
import io.kairos.domain.task.Idempotency.Window;
import io.kairos.domain.task.OrderingKey;
import io.kairos.domain.task.Outcome;
import io.kairos.domain.task.QueueName;
import io.kairos.domain.task.RetryPolicy;
import io.kairos.testkit.task.TaskObserver;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** One task that is stored, or may be, and all that happened to it. */
final class TaskTrack {
  static final long NEVER = Long.MIN_VALUE;

  /** What was asked for. */
  record Asked(
      long tag,
      QueueName queue,
      @Nullable OrderingKey key,
      long dueMicros,
      RetryPolicy policy,
      @Nullable Idempotency idempotency,
      @Nullable Long startDeadlineMicros,
      long atNanos) {
    /** Tasks with the same are the same task, as long as the window of the first lasts. */
    boolean hasIdempotencyKeyOf(Asked other) {
      return idempotency != null
          && other.idempotency != null
          && idempotency.key().equals(other.idempotency.key())
          && queue.handler().equals(other.queue.handler());
    }

    boolean isOnConflict(OnConflict choice) {
      return idempotency != null && idempotency.onConflict() == choice;
    }

    /** The same with what a task keeps when it is replaced. */
    Asked replacing(Asked first) {
      return new Asked(
          tag,
          queue,
          first.key,
          dueMicros,
          policy,
          first.idempotency,
          startDeadlineMicros,
          atNanos);
    }
  }

  /** An attempt as its worker performs it. */
  static final class Execution {
    final TaskTrack task;
    final long fence;
    final WorkerProcess worker;
    final long beganAtNanos;

    Execution(TaskTrack task, long fence, WorkerProcess worker, long beganAtNanos) {
      this.task = task;
      this.fence = fence;
      this.worker = worker;
      this.beganAtNanos = beganAtNanos;
    }

    @Override
    public String toString() {
      return "execution of " + task + " under fence " + fence + " by " + worker;
    }
  }

  /** Of the request that it is made for. */
  final long tag;

  /** By that request, or by the last that has replaced it. */
  Asked asked;

  /** Of that request, and of those that have replaced it. */
  final Set<Long> tags = new HashSet<>();

  /** As it is in the store; null before it is there. */
  TaskObserver.@Nullable Row row;

  long storedAtNanos = NEVER;
  long acceptedAtNanos = NEVER;
  long firstClaimedAtNanos = NEVER;

  /** Of a window that is a time: when its idempotency key is free again. */
  long keyFreeAtMicros;

  /** No attempt may begin before: its due time, or the end of its backoff. */
  long notBeforeMicros;

  /** What has put it into a node's memory last. */
  @Nullable TaskCall queuedBy;

  /** It has been begun, and its ordering key is its own until it has ended. */
  boolean isHead;

  /** Fences of its claims, and what it was then. */
  final NavigableMap<Long, Asked> claims = new TreeMap<>();

  /** Executions that have not ended. */
  final List<Execution> executing = new ArrayList<>();

  /** How handlers ended that ended by themselves, under which fence. */
  final Map<Long, Outcome> performed = new HashMap<>();

  /** Under which fence which outcome was reported, before anybody could know. */
  final Map<Long, Outcome> concluded = new HashMap<>();

  /** Fences under which a report has ended an attempt. */
  final Map<Long, Outcome> settled = new HashMap<>();

  /** Fences that were given to a worker. */
  final Map<Long, String> handedOut = new HashMap<>();

  TaskTrack(Asked asked) {
    this.tag = asked.tag();
    this.asked = asked;
    this.tags.add(tag);
    this.notBeforeMicros = asked.dueMicros();
  }

  /** Of its idempotency key. */
  boolean isWindowOver(long nowMicros) {
    return switch (requireNonNull(asked.idempotency()).window()) {
      case Window.WhileUnfinished() -> isFinished();
      case Window.For(_) -> keyFreeAtMicros <= nowMicros;
      case Window.Forever() -> false;
    };
  }

  boolean isFinished() {
    TaskObserver.Row last = row;
    return last != null && last.state().isFinished();
  }

  @Override
  public String toString() {
    TaskObserver.Row last = row;
    return "task "
        + asked.tag()
        + " of "
        + asked.queue()
        + (last == null
            ? " (not stored)"
            : " ("
                + last.state()
                + ", fence "
                + last.fence()
                + ", attempt "
                + last.attempt()
                + ")");
  }
}
