package io.kairos.client;

import io.kairos.client.task.TaskState;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Selects tasks to list, newest first, a page at a time.
 *
 * @param handler only tasks of this handler; all when empty
 * @param collection only tasks of this collection; all when empty
 * @param key only tasks with this ordering key, which needs a handler too; all when empty
 * @param states only tasks in these states; all when empty
 * @param from only tasks whose due time is then or later; null for no bound
 * @param to only tasks whose due time is before then; null for no bound
 * @param pageSize maximum number of tasks on a page, 1 to 1,000
 * @param pageToken token from the previous page; empty for the first page
 */
public record TaskQuery(
    String handler,
    String collection,
    String key,
    Set<TaskState> states,
    @Nullable Instant from,
    @Nullable Instant to,
    int pageSize,
    String pageToken) {
  public TaskQuery {
    states = Set.copyOf(states);
  }

  public static TaskQuery all() {
    return new TaskQuery("", "", "", EnumSet.noneOf(TaskState.class), null, null, 100, "");
  }

  public TaskQuery handler(String name) {
    return new TaskQuery(name, collection, key, states, from, to, pageSize, pageToken);
  }

  public TaskQuery collection(String name) {
    return new TaskQuery(handler, name, key, states, from, to, pageSize, pageToken);
  }

  /** Selects only tasks with this ordering key; the handler must be given too. */
  public TaskQuery key(String orderingKey) {
    return new TaskQuery(handler, collection, orderingKey, states, from, to, pageSize, pageToken);
  }

  public TaskQuery states(TaskState... wanted) {
    return new TaskQuery(
        handler, collection, key, Set.copyOf(List.of(wanted)), from, to, pageSize, pageToken);
  }

  /**
   * Selects only tasks that are due within a time.
   *
   * @param first the earliest due time; null for no bound
   * @param end later than the latest due time; null for no bound
   */
  public TaskQuery due(@Nullable Instant first, @Nullable Instant end) {
    return new TaskQuery(handler, collection, key, states, first, end, pageSize, pageToken);
  }

  public TaskQuery pageSize(int size) {
    return new TaskQuery(handler, collection, key, states, from, to, size, pageToken);
  }

  public TaskQuery after(TaskPage former) {
    return new TaskQuery(
        handler, collection, key, states, from, to, pageSize, former.nextPageToken());
  }
}
