package io.kairos.edge.cron;

import io.kairos.domain.cron.ComponentId;
import io.kairos.engine.cron.CronMachine;
import io.kairos.engine.cron.entry.EntryBook;
import io.kairos.engine.replica.ReplicatedLog;

/** A replica's state, for questions on its log's thread. Must not be kept beyond a question. */
public record ReplicaView(CronMachine machine, EntryBook book, ReplicatedLog log) {
  boolean hasTable(ComponentId component) {
    return machine.tables().find(component).isPresent();
  }
}
