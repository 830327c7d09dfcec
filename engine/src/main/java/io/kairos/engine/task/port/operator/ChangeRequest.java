package io.kairos.engine.task.port.operator;

import static io.kairos.domain.check.ArgumentCheck.require;

import io.kairos.domain.task.OrderingKey;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.TaskState;
import io.kairos.domain.task.queue.CollectionName;
import io.kairos.domain.task.queue.TaskHandler;
import java.time.Duration;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A request to change many unfinished tasks, each as the call for one task would.
 *
 * @param limit most tasks, the oldest first
 * @param isDryRun true to count the tasks and change none
 */
public record ChangeRequest(Filter filter, Action action, int limit, boolean isDryRun) {
  /** States of tasks that have not ended. */
  public static final Set<TaskState> UNFINISHED =
      Arrays.stream(TaskState.values())
          .filter(state -> !state.isFinished())
          .collect(Collectors.toUnmodifiableSet());

  public ChangeRequest {
    require(limit >= 1, "a change needs a limit");
  }

  /** The change. */
  public sealed interface Action {}

  /** Cancels tasks; of those that workers perform, the cancellation is requested. */
  public record Cancel() implements Action {}

  /**
   * Gives other due times to tasks that no worker performs. Passes over those that would be due
   * after their start deadline.
   *
   * @param startMicros when the first task is due, microseconds since 1970; null for now by the
   *     store's clock
   * @param apart how much later each task is due than the one before
   */
  public record Reschedule(@Nullable Long startMicros, Duration apart) implements Action {
    public Reschedule {
      require(!apart.isNegative(), "tasks are due one after the other");
    }
  }

  /**
   * Tasks that match all conditions. The class and the fingerprint of a task are those of its
   * latest failure.
   *
   * @param handler null for all
   * @param states some of {@link #UNFINISHED}
   * @param collection null for all
   * @param key null for all; requires a handler
   * @param fromMicros only tasks due then or later, microseconds since 1970; null for all
   * @param toMicros only tasks due before then; null for all
   * @param minAttempts 0 for all
   * @param errorClass empty for all
   * @param fingerprint empty for all
   * @param acceptedUntilMicros only tasks that were accepted then or earlier; null for now by the
   *     store's clock
   * @param after only tasks with a greater id; null for the first
   */
  public record Filter(
      @Nullable TaskHandler handler,
      Set<TaskState> states,
      @Nullable CollectionName collection,
      @Nullable OrderingKey key,
      @Nullable Long fromMicros,
      @Nullable Long toMicros,
      int minAttempts,
      String errorClass,
      String fingerprint,
      @Nullable Long acceptedUntilMicros,
      @Nullable TaskId after) {
    public Filter {
      states = Set.copyOf(states);
      require(
          !states.isEmpty() && UNFINISHED.containsAll(states), "only unfinished tasks are changed");
      require(key == null || handler != null, "a key is that of a handler");
    }

    /** The filter for tasks that were accepted by a time, microseconds since 1970. */
    public Filter acceptedUntil(long micros) {
      return new Filter(
          handler,
          states,
          collection,
          key,
          fromMicros,
          toMicros,
          minAttempts,
          errorClass,
          fingerprint,
          micros,
          after);
    }
  }
}
