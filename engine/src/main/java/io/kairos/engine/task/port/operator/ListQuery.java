package io.kairos.engine.task.port.operator;

import static io.kairos.domain.check.ArgumentCheck.require;

import io.kairos.domain.schedule.definition.ScheduleName;
import io.kairos.domain.task.OrderingKey;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.TaskState;
import io.kairos.domain.task.batch.BatchId;
import io.kairos.domain.task.queue.CollectionName;
import io.kairos.domain.task.queue.TaskHandler;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A query for tasks, listed newest first and without payloads.
 *
 * @param handler null for all
 * @param collection null for all
 * @param key null for all; requires a handler
 * @param states never empty
 * @param fromMicros only tasks due then or later, microseconds since 1970; null for all
 * @param toMicros only tasks due before then; null for all
 * @param before only tasks with a smaller id; null for the newest
 * @param limit at most this many
 * @param search further conditions
 */
public record ListQuery(
    @Nullable TaskHandler handler,
    @Nullable CollectionName collection,
    @Nullable OrderingKey key,
    Set<TaskState> states,
    @Nullable Long fromMicros,
    @Nullable Long toMicros,
    @Nullable TaskId before,
    int limit,
    Search search) {
  /** A query without further conditions. */
  public ListQuery(
      @Nullable TaskHandler handler,
      @Nullable CollectionName collection,
      @Nullable OrderingKey key,
      Set<TaskState> states,
      @Nullable Long fromMicros,
      @Nullable Long toMicros,
      @Nullable TaskId before,
      int limit) {
    this(handler, collection, key, states, fromMicros, toMicros, before, limit, Search.NONE);
  }

  /** A query for tasks of any collection, key and due time. */
  public static ListQuery ofHandler(
      @Nullable TaskHandler handler, Set<TaskState> states, @Nullable TaskId before, int limit) {
    return new ListQuery(handler, null, null, states, null, null, before, limit);
  }

  public ListQuery {
    states = Set.copyOf(states);
    require(!states.isEmpty() && limit >= 1, "a list needs states and a limit");
    require(key == null || handler != null, "a key is that of a handler");
  }

  /**
   * Further conditions of a query. The class and the fingerprint of a task are those of its latest
   * failure; a task that has succeeded has neither.
   *
   * @param from only tasks with this id or a greater one; null for all
   * @param minAttempts 0 for all
   * @param errorClass empty for all
   * @param fingerprint empty for all
   * @param endedFromMicros only tasks that ended then or later, microseconds since 1970; null for
   *     all
   * @param endedToMicros only tasks that ended before then; null for all
   * @param text only tasks whose id, keys, collection, result or latest error has this text,
   *     without regard to case; empty for all
   * @param priority null for all
   * @param schedule only runs of this schedule; null for all tasks
   * @param batch only tasks of this batch; null for all. Without a schedule
   */
  public record Search(
      @Nullable TaskId from,
      int minAttempts,
      String errorClass,
      String fingerprint,
      @Nullable Long endedFromMicros,
      @Nullable Long endedToMicros,
      String text,
      @Nullable Integer priority,
      @Nullable ScheduleName schedule,
      @Nullable BatchId batch) {
    public static final Search NONE = new Search(null, 0, "", "", null, null, "", null, null);

    /** Conditions on tasks of any batch and of none. */
    public Search(
        @Nullable TaskId from,
        int minAttempts,
        String errorClass,
        String fingerprint,
        @Nullable Long endedFromMicros,
        @Nullable Long endedToMicros,
        String text,
        @Nullable Integer priority,
        @Nullable ScheduleName schedule) {
      this(
          from,
          minAttempts,
          errorClass,
          fingerprint,
          endedFromMicros,
          endedToMicros,
          text,
          priority,
          schedule,
          null);
    }

    public Search {
      require(schedule == null || batch == null, "runs of schedules are in no batch");
    }

    /** True when a task matches only by its latest failure. */
    public boolean isForErrors() {
      return !errorClass.isEmpty() || !fingerprint.isEmpty();
    }

    /** True when only tasks match that have ended. */
    public boolean isForEnded() {
      return endedFromMicros != null || endedToMicros != null;
    }
  }
}
