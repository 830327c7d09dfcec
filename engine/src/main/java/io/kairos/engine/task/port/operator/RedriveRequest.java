package io.kairos.engine.task.port.operator;

import static io.kairos.domain.check.ArgumentCheck.require;

import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.TaskState;
import io.kairos.domain.task.queue.CollectionName;
import io.kairos.domain.task.queue.TaskHandler;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A request to run failed tasks again.
 *
 * @param which the tasks, by ids or by a filter
 * @param startMicros when the first task is due, microseconds since 1970; null for now by the
 *     store's clock
 * @param apart how much later each task is due than the one before
 * @param limit most tasks, the oldest first
 * @param isDryRun true to count the tasks and put none back
 */
public record RedriveRequest(
    Which which, @Nullable Long startMicros, Duration apart, int limit, boolean isDryRun) {
  /** States of tasks that can be redriven: they ended by failing, and their payload is kept. */
  public static final Set<TaskState> REDRIVABLE =
      Set.copyOf(EnumSet.of(TaskState.FAILED, TaskState.DEAD));

  /** A request that is no dry run. */
  public RedriveRequest(Which which, @Nullable Long startMicros, Duration apart, int limit) {
    this(which, startMicros, apart, limit, false);
  }

  public RedriveRequest {
    require(!apart.isNegative() && limit >= 1, "a redrive needs a limit and a positive distance");
  }

  /** A selection of tasks. */
  public sealed interface Which {}

  /** Tasks with these ids, as far as they can be redriven. */
  public record Ids(List<TaskId> ids) implements Which {
    public Ids {
      ids = List.copyOf(ids);
    }
  }

  /**
   * Tasks that match all conditions.
   *
   * @param handler null for all
   * @param states some of {@link #REDRIVABLE}
   * @param endedBefore null for any time
   * @param error part of the last failure's text; empty for any
   * @param after selects only tasks with a greater id; null for the first
   * @param endedFrom selects only tasks that ended then or later; null for any time
   * @param fingerprint of the last failure; empty for any
   * @param errorClass of the last failure; empty for any
   * @param collection null for all
   */
  public record Filter(
      @Nullable TaskHandler handler,
      Set<TaskState> states,
      @Nullable Instant endedBefore,
      String error,
      @Nullable TaskId after,
      @Nullable Instant endedFrom,
      String fingerprint,
      String errorClass,
      @Nullable CollectionName collection)
      implements Which {
    /** A filter for tasks of all collections, whenever they ended, with any kind of error. */
    public Filter(
        @Nullable TaskHandler handler,
        Set<TaskState> states,
        @Nullable Instant endedBefore,
        String error,
        @Nullable TaskId after) {
      this(handler, states, endedBefore, error, after, null, "", "", null);
    }

    public Filter {
      states = Set.copyOf(states);
      require(
          !states.isEmpty() && REDRIVABLE.containsAll(states),
          "only failed and dead tasks can be put back");
    }

    /** True for tasks with one class or fingerprint. */
    public boolean isForErrors() {
      return !errorClass.isEmpty() || !fingerprint.isEmpty();
    }

    /** The filter for tasks that ended before a time. */
    public Filter endedBefore(Instant time) {
      return new Filter(
          handler, states, time, error, after, endedFrom, fingerprint, errorClass, collection);
    }
  }
}
