package io.kairos.domain.task;

import io.kairos.domain.task.OrderingKeyPolicy.OnDead;
import io.kairos.domain.task.OrderingKeyPolicy.Ordered;
import io.kairos.domain.task.OrderingKeyPolicy.Parallel;
import io.kairos.domain.task.OrderingKeyPolicy.Rate;
import org.jspecify.annotations.Nullable;

/**
 * The state of an ordering key: the one place that decides which of its tasks may run. Read and
 * written under a lock of the key.
 *
 * @param occupied the number of tasks of the key that workers perform
 * @param head of an ordered key, the task that has begun and not ended, also while it waits for
 *     another attempt
 * @param blockedBy a head that has failed for good and blocks its key
 * @param bucket of a key with a rate; null until the first start
 */
public record OrderingKeyState(
    int occupied, @Nullable TaskId head, @Nullable TaskId blockedBy, @Nullable TokenBucket bucket) {
  /** The state of a new key. */
  public static final OrderingKeyState NEW = new OrderingKeyState(0, null, null, null);

  /** What has happened to a task of the key. */
  public enum Change {
    /** An attempt ended, and the task with it. */
    ENDED,
    /** The task's last attempt failed. */
    FAILED_FOR_GOOD,
    /** An attempt failed, and there will be another. */
    FAILED_FOR_NOW,
    /** A task that no worker performs has ended, or has another due time. */
    LEFT
  }

  /**
   * Returns true if a task may begin, apart from the rate.
   *
   * @param earliest true if no unfinished task of the key is due before it
   */
  public boolean mayBegin(TaskId task, boolean earliest, OrderingKeyPolicy policy) {
    return blockedBy == null
        && switch (policy.mode()) {
          case Ordered _ -> occupied == 0 && (head == null ? earliest : head.equals(task));
          case Parallel(int maxRunning) -> occupied < maxRunning;
        };
  }

  /**
   * Returns true if a new task must wait as blocked, because it is not the earliest or the key is
   * taken.
   */
  public boolean blocksNew(boolean earliest, OrderingKeyPolicy policy) {
    return switch (policy.mode()) {
      case Ordered _ -> blockedBy != null || head != null || occupied > 0 || !earliest;
      case Parallel(int maxRunning) -> blockedBy != null || occupied >= maxRunning;
    };
  }

  /**
   * Returns how long the rate holds the next start back, in microseconds.
   *
   * @param before the number of starts that are held back already, and come first
   */
  public long heldBackMicros(int before, long nowMicros, OrderingKeyPolicy policy) {
    Rate rate = policy.rate();
    if (rate == null) {
      return 0;
    }
    TokenBucket now = bucketAt(nowMicros, rate);
    return before == 0 && now.hasOne() ? 0 : now.microsUntil(before + 1, rate);
  }

  private TokenBucket bucketAt(long nowMicros, Rate rate) {
    return bucket == null ? TokenBucket.full(rate, nowMicros) : bucket.at(nowMicros, rate);
  }

  /** Returns the state after a task has begun an attempt. */
  public OrderingKeyState begun(TaskId task, long nowMicros, OrderingKeyPolicy policy) {
    Rate rate = policy.rate();
    return new OrderingKeyState(
        occupied + 1,
        policy.mode() instanceof Ordered ? task : head,
        blockedBy,
        rate == null ? null : bucketAt(nowMicros, rate).withoutOne());
  }

  public OrderingKeyState after(Change change, TaskId task, OrderingKeyPolicy policy) {
    return switch (change) {
      case ENDED -> new OrderingKeyState(occupied - 1, headWithout(task), blockedBy, bucket);
      case FAILED_FOR_GOOD ->
          new OrderingKeyState(
              occupied - 1,
              headWithout(task),
              policy.mode() instanceof Ordered(OnDead onDead)
                      && onDead == OnDead.BLOCK
                      && task.equals(head)
                  ? task
                  : blockedBy,
              bucket);
      case FAILED_FOR_NOW -> new OrderingKeyState(occupied - 1, head, blockedBy, bucket);
      case LEFT -> new OrderingKeyState(occupied, headWithout(task), blockedBy, bucket);
    };
  }

  private @Nullable TaskId headWithout(TaskId task) {
    return task.equals(head) ? null : head;
  }

  /** Returns the state after an operator has skipped the task that blocks the key. */
  public OrderingKeyState skipped() {
    return new OrderingKeyState(occupied, head, null, bucket);
  }

  /**
   * Returns the state after an operator has retried the task that blocks the key: it is still the
   * first.
   */
  public OrderingKeyState retried() {
    return new OrderingKeyState(occupied, blockedBy, null, bucket);
  }

  /**
   * Returns how many blocked tasks may wait for their turn again, the earliest first; of an ordered
   * key one at most, which is its head or, without one, the earliest of all.
   */
  public int room(OrderingKeyPolicy policy) {
    if (blockedBy != null) {
      return 0;
    }
    return switch (policy.mode()) {
      case Ordered _ -> occupied == 0 ? 1 : 0;
      case Parallel(int maxRunning) -> Math.max(0, maxRunning - occupied);
    };
  }
}
