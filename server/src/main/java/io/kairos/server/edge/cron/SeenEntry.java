package io.kairos.server.edge.cron;

import io.kairos.domain.cron.ComponentId;
import io.kairos.domain.cron.CronTable;
import io.kairos.domain.cron.Failure;
import io.kairos.engine.cron.entry.EntryState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An entry as its replica has it.
 *
 * @param failure what is recorded of it; null for nothing
 */
record SeenEntry(EntryState state, @Nullable Failure failure) {
  /** On the log's thread. */
  static Optional<SeenEntry> find(ReplicaSight replica, ComponentId component, int position) {
    return replica
        .book()
        .find(component, position)
        .map(state -> new SeenEntry(state, failures(replica, component).get(position)));
  }

  /**
   * The entries of a component behind a position, in order. On the log's thread.
   *
   * @param limit how many at most
   */
  static List<SeenEntry> behind(
      ReplicaSight replica, ComponentId component, int afterPosition, int limit) {
    Map<Integer, Failure> failures = failures(replica, component);
    List<SeenEntry> seen = new ArrayList<>();
    for (EntryState state : replica.book().entries(component, afterPosition, limit)) {
      seen.add(new SeenEntry(state, failures.get(state.entry().position())));
    }
    return seen;
  }

  private static Map<Integer, Failure> failures(ReplicaSight replica, ComponentId component) {
    Map<Integer, Failure> byPosition = new HashMap<>();
    replica.machine().tables().find(component).map(CronTable::failures).stream()
        .flatMap(List::stream)
        .forEach(failure -> byPosition.put(failure.position(), failure));
    return byPosition;
  }
}
