package io.kairos.client;

import java.util.List;

/**
 * One page of a list of tasks.
 *
 * @param tasks without payloads
 * @param nextPageToken token of the next page; empty on the last page
 */
public record TaskPage(List<Task> tasks, String nextPageToken) {
  public TaskPage {
    tasks = List.copyOf(tasks);
  }

  public boolean isLast() {
    return nextPageToken.isEmpty();
  }
}
