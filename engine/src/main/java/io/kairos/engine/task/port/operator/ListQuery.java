package io.kairos.engine.task.port.operator;

import static io.kairos.domain.check.ArgumentCheck.require;

import io.kairos.domain.task.OrderingKey;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.TaskState;
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
 */
public record ListQuery(
    @Nullable TaskHandler handler,
    @Nullable CollectionName collection,
    @Nullable OrderingKey key,
    Set<TaskState> states,
    @Nullable Long fromMicros,
    @Nullable Long toMicros,
    @Nullable TaskId before,
    int limit) {
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
}
