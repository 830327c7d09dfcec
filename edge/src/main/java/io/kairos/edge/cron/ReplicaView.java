package io.kairos.edge.cron;

import io.kairos.domain.cron.ComponentId;
import io.kairos.domain.cron.CronTable;
import io.kairos.domain.cron.EntryFailure;
import io.kairos.edge.refusal.CallRefusals;
import io.kairos.edge.refusal.Refusals;
import io.kairos.engine.cron.CronMachine;
import io.kairos.engine.cron.entry.EntryBook;
import io.kairos.engine.replica.ReplicatedLog;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** A replica's state, for questions on its log's thread. Must not be kept beyond a question. */
public record ReplicaView(CronMachine machine, EntryBook book, ReplicatedLog log) {
  /** Refuses a component without a table. */
  void requireTable(ComponentId component) {
    if (machine.tables().find(component).isEmpty()) {
      throw CallRefusals.of(Refusals.notFound(noTable(component)));
    }
  }

  static String noTable(ComponentId component) {
    return "component: there is no table of " + component;
  }

  /** The recorded failures of a component's entries, by position. */
  Map<Integer, EntryFailure> failures(ComponentId component) {
    return machine.tables().find(component).map(CronTable::failures).stream()
        .flatMap(List::stream)
        .collect(Collectors.toMap(EntryFailure::position, Function.identity()));
  }
}
