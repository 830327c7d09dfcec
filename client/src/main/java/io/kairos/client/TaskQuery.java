package io.kairos.client;

import io.kairos.client.task.TaskState;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * Selects tasks to list, newest first, a page at a time.
 *
 * @param handler only tasks of this handler; all when empty
 * @param collection only tasks of this collection; all when empty
 * @param key only tasks with this ordering key, which needs a handler too; all when empty
 * @param states only tasks in these states; all when empty
 * @param pageSize maximum number of tasks on a page, 1 to 1,000
 * @param pageToken token from the previous page; empty for the first page
 */
public record TaskQuery(
    String handler,
    String collection,
    String key,
    Set<TaskState> states,
    int pageSize,
    String pageToken) {
  public TaskQuery {
    states = Set.copyOf(states);
  }

  public static TaskQuery all() {
    return new TaskQuery("", "", "", EnumSet.noneOf(TaskState.class), 100, "");
  }

  public TaskQuery handler(String name) {
    return new TaskQuery(name, collection, key, states, pageSize, pageToken);
  }

  public TaskQuery collection(String name) {
    return new TaskQuery(handler, name, key, states, pageSize, pageToken);
  }

  /** Selects only tasks with this ordering key; the handler must be given too. */
  public TaskQuery key(String orderingKey) {
    return new TaskQuery(handler, collection, orderingKey, states, pageSize, pageToken);
  }

  public TaskQuery states(TaskState... wanted) {
    return new TaskQuery(
        handler, collection, key, Set.copyOf(List.of(wanted)), pageSize, pageToken);
  }

  public TaskQuery pageSize(int size) {
    return new TaskQuery(handler, collection, key, states, size, pageToken);
  }

  public TaskQuery after(TaskPage former) {
    return new TaskQuery(handler, collection, key, states, pageSize, former.nextPageToken());
  }
}
