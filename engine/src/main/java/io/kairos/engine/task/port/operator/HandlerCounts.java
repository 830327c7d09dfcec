package io.kairos.engine.task.port.operator;

import io.kairos.domain.task.queue.TaskHandler;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Numbers of a handler's tasks by state. Counting stops at a number, of waiting and of paused tasks
 * in each queue, of dead and of failed tasks over all handlers.
 *
 * @param waiting new tasks and retries
 * @param enqueued tasks on the queues of nodes
 * @param processing tasks that workers perform
 * @param blocked tasks behind others of their ordering key
 * @param paused tasks held back with their collection
 * @param dead tasks whose attempts were used up; they can be redriven
 * @param failed tasks whose worker reported a failure for good; they can be redriven
 * @param askedAt when a worker last asked for tasks of the handler, accurate to a few seconds; null
 *     for never
 * @param oldestDue how long ago the time of the oldest task came that no worker has, by the store's
 *     clock; null when none is due. Of a retry on a node's queue it is not known.
 * @param countedTo the number at which counting of waiting, paused and blocked tasks stopped; zero
 *     when nothing was counted
 * @param isFailedAtLeast true when there are more dead or failed tasks than were counted
 */
public record HandlerCounts(
    TaskHandler handler,
    int waiting,
    int enqueued,
    int processing,
    int blocked,
    int paused,
    int dead,
    int failed,
    @Nullable Instant askedAt,
    @Nullable Duration oldestDue,
    int countedTo,
    boolean isFailedAtLeast) {
  /** How far tasks are counted. */
  public enum Counting {
    /** Up to 100,000 of each queue. */
    FULL(100_000, Integer.MAX_VALUE),
    /** For a list that people look at: of few queues more of each. */
    SHORT(10_000, 100_000),
    /** Not at all. */
    NONE(0, 0);

    private final int most;
    private final int mostOfAll;

    Counting(int most, int mostOfAll) {
      this.most = most;
      this.mostOfAll = mostOfAll;
    }

    /** The most that are counted in one queue. */
    public int most() {
      return most;
    }

    /** About the most that are counted in all queues together. */
    public int mostOfAll() {
      return mostOfAll;
    }
  }

  /** A handler of which nothing else is known. */
  public static HandlerCounts ofName(TaskHandler handler) {
    return new HandlerCounts(handler, 0, 0, 0, 0, 0, 0, 0, null, null, 0, false);
  }
}
