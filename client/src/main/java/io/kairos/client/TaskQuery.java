package io.kairos.client;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * Which tasks to list, newest first, a page at a time.
 *
 * @param handler all when empty
 * @param collection all when empty
 * @param key all when empty; with one a handler too
 * @param states all when empty
 * @param pageSize 1 to 1,000
 * @param pageToken of the former page; empty for the first
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

  /** Only tasks with this ordering key, of the handler that must be named as well. */
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
