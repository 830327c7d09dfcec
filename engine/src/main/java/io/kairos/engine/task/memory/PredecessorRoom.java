package io.kairos.engine.task.memory;

import io.kairos.domain.task.queue.PoolName;
import io.kairos.engine.task.memory.WaitingWorkers.Waiter;
import io.kairos.engine.task.port.ClaimResult;
import io.kairos.engine.task.port.PredecessorQuery;
import io.kairos.engine.task.port.Predecessors;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Shares what is left of the bytes that a worker accepts between those of its claimed tasks that
 * have waited for others. The room is taken before the store is asked. Called under the lock of
 * {@link TaskQueues}.
 */
final class PredecessorRoom {
  private PredecessorRoom() {}

  static List<PredecessorQuery> taken(List<TaskMatch> matches, ClaimResult claims) {
    Map<Waiter, List<TaskMatch>> works = new LinkedHashMap<>();
    for (TaskMatch match : matches) {
      if (claims.claimed().contains(match.task().task())) {
        works.computeIfAbsent(match.waiter(), _ -> new ArrayList<>()).add(match);
      }
    }
    List<PredecessorQuery> queries = new ArrayList<>();
    works.forEach((waiter, work) -> {
      List<TaskMatch> some =
          work.stream()
              .filter(match -> claims.withPredecessors().contains(match.task().task()))
              .filter(match -> !(match.queueName().handler() instanceof PoolName))
              .toList();
      int each = some.isEmpty() ? 0 : forEach(waiter, work, some.size());
      if (each >= Predecessors.ENTRY_BYTES) {
        some.forEach(match -> queries.add(new PredecessorQuery(match.task().task().id(), each)));
      }
    });
    return queries;
  }

  /**
   * The bytes for each of so many tasks; fewer while there is no room for the answer, down to none.
   */
  private static int forEach(Waiter waiter, List<TaskMatch> work, int tasks) {
    long payloads = work.stream().mapToLong(match -> match.task().details().bytes()).sum();
    long left = Math.max(0, waiter.request.maxBytes() - payloads);
    int each = (int) Math.min(Predecessors.MOST_ROOM, left / tasks);
    while (each >= Predecessors.ENTRY_BYTES
        && !waiter.answer.takeRoom(payloads + (long) each * tasks)) {
      each /= 4;
    }
    return each;
  }
}
