package io.kairos.client;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * Which tasks to list, newest first, a page at a time.
 *
 * @param handler all when empty
 * @param states all when empty
 * @param pageSize 1 to 1,000
 * @param pageToken of the former page; empty for the first
 */
public record TaskQuery(String handler, Set<TaskState> states, int pageSize, String pageToken) {
  public TaskQuery {
    states = Set.copyOf(states);
  }

  public static TaskQuery all() {
    return new TaskQuery("", EnumSet.noneOf(TaskState.class), 100, "");
  }

  public TaskQuery handler(String name) {
    return new TaskQuery(name, states, pageSize, pageToken);
  }

  public TaskQuery states(TaskState... wanted) {
    return new TaskQuery(handler, Set.copyOf(List.of(wanted)), pageSize, pageToken);
  }

  public TaskQuery pageSize(int size) {
    return new TaskQuery(handler, states, size, pageToken);
  }

  public TaskQuery after(TaskPage former) {
    return new TaskQuery(handler, states, pageSize, former.nextPageToken());
  }
}
