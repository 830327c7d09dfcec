package io.kairos.engine.task.port;

import io.kairos.domain.task.TaskHandler;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.TaskState;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which failed tasks are to be tried again, and when.
 *
 * @param which by their ids or by a filter
 * @param startMicros when the first is due; null for now by the store's clock
 * @param apart how much later each is due than the one before
 * @param limit at most this many, the oldest first
 */
public record RedriveRequest(Which which, @Nullable Long startMicros, Duration apart, int limit) {
  /** What can be put back: it ended by failing, and its payload is kept. */
  public static final Set<TaskState> REDRIVABLE =
      Set.copyOf(EnumSet.of(TaskState.FAILED, TaskState.DEAD));

  public RedriveRequest {
    if (apart.isNegative() || limit < 1) {
      throw new IllegalArgumentException("a redrive needs a limit and a positive distance");
    }
  }

  /** Tasks. */
  public sealed interface Which {}

  /** Those of these ids that can be put back. */
  public record Ids(List<TaskId> ids) implements Which {
    public Ids {
      ids = List.copyOf(ids);
    }
  }

  /**
   * Those that match all of it.
   *
   * @param handler null for all
   * @param states some of {@link #REDRIVABLE}
   * @param endedBefore null for any time
   * @param error part of the last failure's text, empty for any
   * @param after only tasks with a greater id; null for the first
   */
  public record Filter(
      @Nullable TaskHandler handler,
      Set<TaskState> states,
      @Nullable Instant endedBefore,
      String error,
      @Nullable TaskId after)
      implements Which {
    public Filter {
      states = Set.copyOf(states);
      if (states.isEmpty() || !REDRIVABLE.containsAll(states)) {
        throw new IllegalArgumentException("only failed and dead tasks can be put back");
      }
    }
  }
}
