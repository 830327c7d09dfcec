package io.kairos.simulator.task;

import static java.util.Objects.requireNonNull;

import io.kairos.domain.task.AttemptOutcome;
import io.kairos.domain.task.OrderingKey;
import io.kairos.domain.task.RetryPolicy;
import io.kairos.domain.task.TaskIdempotency;
import io.kairos.domain.task.TaskIdempotency.OnConflict;
import io.kairos.domain.task.TaskIdempotency.Window;
import io.kairos.domain.task.TaskState;
import io.kairos.domain.task.graph.EdgeEffect;
import io.kairos.domain.task.graph.OnFailure;
import io.kairos.domain.task.queue.QueueName;
import io.kairos.domain.time.EpochMicros;
import io.kairos.model.task.TaskStoreObserver;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** One task that is stored, or may be, with its history. */
public final class TaskTrack {
  static final long NEVER = Long.MIN_VALUE;

  /** A request for a task. */
  record Asked(
      long tag,
      QueueName queue,
      @Nullable OrderingKey key,
      long dueMicros,
      RetryPolicy policy,
      @Nullable TaskIdempotency idempotency,
      @Nullable Long startDeadlineMicros,
      long atNanos) {
    /** True when both have one idempotency key: one task, while the first one's window lasts. */
    boolean hasIdempotencyKeyOf(Asked other) {
      return idempotency != null
          && other.idempotency != null
          && idempotency.key().equals(other.idempotency.key())
          && queue.handler().equals(other.queue.handler());
    }

    boolean isOnConflict(OnConflict choice) {
      return idempotency != null && idempotency.onConflict() == choice;
    }

    /** Returns this request with the key and idempotency that a replaced task keeps. */
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
  record Execution(TaskTrack task, long fence, WorkerRun worker, long beganAtNanos) {
    @Override
    public String toString() {
      return "execution of " + task + " under fence " + fence + " by " + worker;
    }
  }

  /** Tag of the request that the task is made for. */
  final long tag;

  /** The task's request, or the last one that replaced it. */
  Asked asked;

  /** Tags of that request and of those that replaced it. */
  final Set<Long> tags = new HashSet<>();

  /** The batch that it is to join; null for none. */
  @Nullable BatchTrack batch;

  /** The tasks and batches that it waits for. */
  final List<Awaited> after = new ArrayList<>();

  /**
   * A task, or a batch, that another task waits for.
   *
   * @param predecessor null for a batch
   * @param batch null for a task
   */
  record Awaited(@Nullable TaskTrack predecessor, @Nullable BatchTrack batch, OnFailure onFailure) {
    Awaited(TaskTrack predecessor, OnFailure onFailure) {
      this(predecessor, null, onFailure);
    }

    /** How it has ended; null before it has. */
    @Nullable TaskState end() {
      if (batch != null) {
        return batch.end();
      }
      TaskStoreObserver.Row last = requireNonNull(predecessor).row;
      return last == null || !last.state().isFinished() ? null : last.state();
    }

    /** The effect of its end; null before it has ended. */
    @Nullable EdgeEffect effect() {
      TaskState end = end();
      return end == null ? null : EdgeEffect.of(onFailure, end);
    }

    boolean isForgotten() {
      return batch != null ? batch.isForgotten : requireNonNull(predecessor).isForgotten();
    }

    /** True when it may never end, or when what is behind it may never begin. */
    boolean holdsUp() {
      if (effect() == EdgeEffect.STAYS_OPEN) {
        return true;
      }
      return batch != null
          ? !batch.isClosed || batch.hasUnfinished()
          : !requireNonNull(predecessor).isFinished() && predecessor.isHeldUp();
    }
  }

  /** True when it waits for a batch, which ends some time after its last task. */
  boolean isAfterBatch() {
    return after.stream().anyMatch(one -> one.batch() != null);
  }

  /** True when all tasks that it waits for have ended so that it may begin. */
  boolean isReady() {
    return after.stream().allMatch(one -> one.effect() == EdgeEffect.SATISFIED);
  }

  /** True when it is not to begin for now: a predecessor has failed and may be put back. */
  boolean isHeldUp() {
    return after.stream().anyMatch(Awaited::holdsUp);
  }

  /** When the store removed it from the history; {@link #NEVER} before that. */
  long forgottenAtNanos = NEVER;

  /** The task's row in the store; null before it is stored. */
  public TaskStoreObserver.@Nullable Row row;

  long storedAtNanos = NEVER;
  long acceptedAtNanos = NEVER;
  long firstClaimedAtNanos = NEVER;

  /** When the idempotency key is free again, if its window is a time. */
  long keyFreeAtMicros;

  /** When it was stored, by the store's clock. */
  long storedAtMicros;

  /** No attempt may begin before: its due time, or the end of its backoff. */
  long notBeforeMicros;

  /** Until when its holder may count on its lease, at least, virtual nanoseconds. */
  long leasedUntilNanos;

  /** When the attempt under way is over time, by the store's clock at its claim. */
  long overTimeAtMicros = Long.MAX_VALUE;

  /** The call by which it waits for others no longer. */
  @Nullable TaskCall readiedBy;

  /** The call that last put the task into a node's memory. */
  @Nullable TaskCall queuedBy;

  /** True while the task has begun and not ended: it has its ordering key for itself. */
  boolean isHead;

  /** Fences of the claims, each with the request at that time. */
  final NavigableMap<Long, Asked> claims = new TreeMap<>();

  /** Executions that have not ended. */
  final List<Execution> executing = new ArrayList<>();

  /** Outcomes of handlers that ended by themselves, by fence. */
  final Map<Long, AttemptOutcome> performed = new HashMap<>();

  /** Outcomes that workers reported, by fence, noted before the node hears of them. */
  final Map<Long, AttemptOutcome> concluded = new HashMap<>();

  /** Fences under which a report has ended an attempt. */
  final Map<Long, AttemptOutcome> settled = new HashMap<>();

  /** Fences that were given to a worker. */
  final Map<Long, String> handedOut = new HashMap<>();

  TaskTrack(Asked asked) {
    this.tag = asked.tag();
    this.asked = asked;
    this.tags.add(tag);
    this.notBeforeMicros = asked.dueMicros();
  }

  /** True when the window of its idempotency key is over. */
  boolean isWindowOver(long nowMicros) {
    return switch (requireNonNull(asked.idempotency()).window()) {
      case Window.WhileUnfinished() -> isFinished();
      case Window.WhileWaiting() -> isFinished() || isPerformed();
      case Window.For(_), Window.Period _ -> keyFreeAtMicros <= nowMicros;
      case Window.Forever() -> false;
    };
  }

  /** True when a request takes its idempotency key because it has waited for as long as it may. */
  boolean hasWaitedFor(Asked by, long nowMicros) {
    TaskIdempotency mine = asked.idempotency();
    TaskIdempotency other = by.idempotency();
    Duration maxWait = other == null ? null : other.maxWait();
    return mine != null
        && mine.window() instanceof Window.WhileWaiting
        && maxWait != null
        && nowMicros - storedAtMicros >= EpochMicros.lengthOf(maxWait);
  }

  private boolean isPerformed() {
    TaskStoreObserver.Row last = row;
    return last != null && last.state() == TaskState.PROCESSING;
  }

  boolean isForgotten() {
    return forgottenAtNanos != NEVER;
  }

  public boolean isFinished() {
    TaskStoreObserver.Row last = row;
    return last != null && last.state().isFinished();
  }

  @Override
  public String toString() {
    TaskStoreObserver.Row last = row;
    String stored =
        last == null
            ? "not stored"
            : last.state() + ", fence " + last.fence() + ", attempt " + last.attempt();
    return "task " + asked.tag() + " of " + asked.queue() + " (" + stored + ")";
  }
}
