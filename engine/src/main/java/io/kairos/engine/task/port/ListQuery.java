package io.kairos.engine.task.port;

import io.kairos.domain.task.CollectionName;
import io.kairos.domain.task.OrderingKey;
import io.kairos.domain.task.TaskHandler;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.TaskState;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which tasks to list: newest first, payloads left out.
 *
 * @param handler null for all
 * @param collection null for all
 * @param key null for all; with one a handler too
 * @param states never empty
 * @param before only tasks with a smaller id; null for the newest
 * @param limit at most this many
 */
public record ListQuery(
    @Nullable TaskHandler handler,
    @Nullable CollectionName collection,
    @Nullable OrderingKey key,
    Set<TaskState> states,
    @Nullable TaskId before,
    int limit) {
  /** Of any collection and key. */
  public ListQuery(
      @Nullable TaskHandler handler, Set<TaskState> states, @Nullable TaskId before, int limit) {
    this(handler, null, null, states, before, limit);
  }

  public ListQuery {
    states = Set.copyOf(states);
    if (states.isEmpty() || limit < 1) {
      throw new IllegalArgumentException("a list needs states and a limit");
    }
    if (key != null && handler == null) {
      throw new IllegalArgumentException("a key is that of a handler");
    }
  }
}
