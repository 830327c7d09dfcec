package io.kairos.domain.task;

import io.kairos.domain.task.KeyPolicy.OnDead;
import io.kairos.domain.task.KeyPolicy.Ordered;
import io.kairos.domain.task.KeyPolicy.Parallel;
import io.kairos.domain.task.KeyPolicy.Rate;
import org.jspecify.annotations.Nullable;

/**
 * What is known of an ordering key, and who of its tasks may run: the one place that decides it.
 * Read and written under a lock of the key.
 *
 * @param occupied tasks of the key that workers perform
 * @param head of an ordered key, the task that has begun and not ended: it stays so while it waits
 *     for another attempt (PD-31)
 * @param blockedBy a head that has failed for good and blocks its key
 * @param bucket of a key with a rate; null until the first start
 */
public record KeyState(
    int occupied, @Nullable TaskId head, @Nullable TaskId blockedBy, @Nullable TokenBucket bucket) {
  /** Of a key that had no task yet. */
  public static final KeyState NEW = new KeyState(0, null, null, null);

  /** What has happened to a task of the key. */
  public enum Change {
    /** An attempt ended, and the task with it. */
    ENDED,
    /** The task's last attempt failed. */
    FAILED_FOR_GOOD,
    /** An attempt failed, and there will be another. */
    FAILED_FOR_NOW,
    /** One that nobody performs has ended, or has another due time. */
    LEFT
  }

  /**
   * Whether a task may begin, but for the rate.
   *
   * @param earliest whether no unfinished task of the key is due before it
   */
  public boolean mayBegin(TaskId task, boolean earliest, KeyPolicy policy) {
    return blockedBy == null
        && switch (policy.mode()) {
          case Ordered _ -> occupied == 0 && (head == null ? earliest : head.equals(task));
          case Parallel(int maxRunning) -> occupied < maxRunning;
        };
  }

  /** Whether a new task that is not the earliest, or finds the key taken, is to wait as blocked. */
  public boolean blocksNew(boolean earliest, KeyPolicy policy) {
    return switch (policy.mode()) {
      case Ordered _ -> blockedBy != null || head != null || occupied > 0 || !earliest;
      case Parallel(int maxRunning) -> blockedBy != null || occupied >= maxRunning;
    };
  }

  /**
   * How long the rate holds the next start back.
   *
   * @param before starts that are held back already, and come first
   */
  public long heldBackMicros(int before, long nowMicros, KeyPolicy policy) {
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

  /** A task begins an attempt. */
  public KeyState begun(TaskId task, long nowMicros, KeyPolicy policy) {
    Rate rate = policy.rate();
    return new KeyState(
        occupied + 1,
        policy.mode() instanceof Ordered ? task : head,
        blockedBy,
        rate == null ? null : bucketAt(nowMicros, rate).withoutOne());
  }

  public KeyState after(Change change, TaskId task, KeyPolicy policy) {
    return switch (change) {
      case ENDED -> new KeyState(occupied - 1, headWithout(task), blockedBy, bucket);
      case FAILED_FOR_GOOD ->
          new KeyState(
              occupied - 1,
              headWithout(task),
              policy.mode() instanceof Ordered(OnDead onDead)
                      && onDead == OnDead.BLOCK
                      && task.equals(head)
                  ? task
                  : blockedBy,
              bucket);
      case FAILED_FOR_NOW -> new KeyState(occupied - 1, head, blockedBy, bucket);
      case LEFT -> new KeyState(occupied, headWithout(task), blockedBy, bucket);
    };
  }

  private @Nullable TaskId headWithout(TaskId task) {
    return task.equals(head) ? null : head;
  }

  /** An operator lets the key go on without the task that blocks it. */
  public KeyState skipped() {
    return new KeyState(occupied, head, null, bucket);
  }

  /** An operator has the task that blocks the key tried again: it is still the first. */
  public KeyState retried() {
    return new KeyState(occupied, blockedBy, null, bucket);
  }

  /**
   * How many blocked tasks may wait for their turn again, the earliest first; of an ordered key one
   * at most, which is its head or, without one, the earliest of all.
   */
  public int room(KeyPolicy policy) {
    if (blockedBy != null) {
      return 0;
    }
    return switch (policy.mode()) {
      case Ordered _ -> occupied == 0 ? 1 : 0;
      case Parallel(int maxRunning) -> Math.max(0, maxRunning - occupied);
    };
  }
}
