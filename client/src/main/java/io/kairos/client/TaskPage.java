package io.kairos.client;

import java.util.List;

/**
 * A part of a list of tasks.
 *
 * @param tasks without payloads
 * @param nextPageToken empty when there are no more
 */
public record TaskPage(List<Task> tasks, String nextPageToken) {
  public TaskPage {
    tasks = List.copyOf(tasks);
  }

  public boolean isLast() {
    return nextPageToken.isEmpty();
  }
}
