package io.kairos.edge.cron;

import io.kairos.domain.cron.ComponentId;
import io.kairos.domain.cron.CronTable;
import io.kairos.domain.cron.EntryFailure;
import io.kairos.engine.cron.entry.EntryState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The state of an entry in a replica.
 *
 * @param failure its recorded failures; null for none
 */
record EntryView(EntryState state, @Nullable EntryFailure failure) {
  /** Finds an entry. Called on the log's thread. */
  static Optional<EntryView> find(ReplicaView replica, ComponentId component, int position) {
    return replica
        .book()
        .find(component, position)
        .map(state -> new EntryView(state, failures(replica, component).get(position)));
  }

  /** The first entries of a component behind a position, in order. Called on the log's thread. */
  static List<EntryView> behind(
      ReplicaView replica, ComponentId component, int afterPosition, int limit) {
    Map<Integer, EntryFailure> failures = failures(replica, component);
    List<EntryView> seen = new ArrayList<>();
    for (EntryState state : replica.book().entries(component, afterPosition, limit)) {
      seen.add(new EntryView(state, failures.get(state.entry().position())));
    }
    return seen;
  }

  private static Map<Integer, EntryFailure> failures(ReplicaView replica, ComponentId component) {
    Map<Integer, EntryFailure> byPosition = new HashMap<>();
    replica.machine().tables().find(component).map(CronTable::failures).stream()
        .flatMap(List::stream)
        .forEach(failure -> byPosition.put(failure.position(), failure));
    return byPosition;
  }
}
