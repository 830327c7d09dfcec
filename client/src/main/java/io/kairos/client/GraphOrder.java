package io.kairos.client;

import io.kairos.api.v1.Predecessor;
import io.kairos.api.v1.ScheduleTaskRequest;
import io.kairos.client.error.InvalidRequestException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** An order of the tasks of a graph in which each comes after those that it waits for. */
final class GraphOrder {
  private GraphOrder() {}

  /**
   * Returns positions of tasks in such an order.
   *
   * @throws InvalidRequestException when there is none
   */
  static List<Integer> of(List<ScheduleTaskRequest> tasks) {
    int[] open = new int[tasks.size()];
    List<List<Integer>> successors = new ArrayList<>();
    tasks.forEach(task -> successors.add(new ArrayList<>()));
    for (int i = 0; i < open.length; i++) {
      for (Predecessor predecessor : tasks.get(i).getAfterList()) {
        if (predecessor.hasIndex()) {
          int index = predecessor.getIndex();
          if (index < 0 || index >= open.length) {
            throw new InvalidRequestException(
                "tasks[" + i + "].after",
                "must be the position of a task of the call, 0 to " + (open.length - 1));
          }
          successors.get(index).add(i);
          open[i]++;
        }
      }
    }
    Deque<Integer> free = new ArrayDeque<>();
    for (int i = 0; i < open.length; i++) {
      if (open[i] == 0) {
        free.add(i);
      }
    }
    List<Integer> order = new ArrayList<>();
    while (!free.isEmpty()) {
      int next = free.remove();
      order.add(next);
      for (int successor : successors.get(next)) {
        if (--open[successor] == 0) {
          free.add(successor);
        }
      }
    }
    if (order.size() < open.length) {
      throw new InvalidRequestException("tasks", "must not wait for each other in a cycle");
    }
    return order;
  }
}
