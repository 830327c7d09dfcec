package io.kairos.client;

import java.util.List;

/**
 * One page of a list of tasks.
 *
 * @param tasks without payloads
 * @param nextPageToken token of the next page; empty on the last page
 * @param isIncomplete true when the page ends because a call examines a bounded number of tasks,
 *     not because it is full
 */
public record TaskPage(List<Task> tasks, String nextPageToken, boolean isIncomplete) {
  public TaskPage {
    tasks = List.copyOf(tasks);
  }

  public boolean isLast() {
    return nextPageToken.isEmpty();
  }
}
