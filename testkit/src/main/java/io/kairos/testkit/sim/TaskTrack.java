package io.kairos.testkit.sim;

import io.kairos.domain.task.OrderingKey;
import io.kairos.domain.task.Outcome;
import io.kairos.domain.task.QueueName;
import io.kairos.domain.task.RetryPolicy;
import io.kairos.testkit.task.TaskObserver;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** One task that somebody asked for, and all that happened to it. */
final class TaskTrack {
  static final long NEVER = Long.MIN_VALUE;

  /** What was asked for. */
  record Asked(
      long tag,
      QueueName queue,
      @Nullable OrderingKey key,
      long dueMicros,
      RetryPolicy policy,
      long atNanos) {}

  /** An attempt as its worker performs it. */
  static final class Execution {
    final TaskTrack task;
    final long fence;
    final SimWorker worker;
    final long beganAtNanos;

    Execution(TaskTrack task, long fence, SimWorker worker, long beganAtNanos) {
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

  final Asked asked;

  /** As it is in the store; null before it is there. */
  TaskObserver.@Nullable Row row;

  long storedAtNanos = NEVER;
  long acceptedAtNanos = NEVER;
  long firstClaimedAtNanos = NEVER;

  /** No attempt may begin before: its due time, or the end of its backoff. */
  long notBeforeMicros;

  /** It has been begun, and its ordering key is its own until it has ended. */
  boolean isHead;

  /** Fences of its claims. */
  final NavigableSet<Long> claims = new TreeSet<>();

  /** Executions that have not ended. */
  final List<Execution> executing = new ArrayList<>();

  /** Under which fence which outcome was reported, before anybody could know. */
  final Map<Long, Outcome> concluded = new HashMap<>();

  /** Fences under which a report has ended an attempt. */
  final Map<Long, Outcome> settled = new HashMap<>();

  /** Fences that were given to a worker. */
  final Map<Long, String> handedOut = new HashMap<>();

  TaskTrack(Asked asked) {
    this.asked = asked;
    this.notBeforeMicros = asked.dueMicros();
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
