package io.kairos.server.edge.cron;

import io.kairos.domain.cron.ComponentId;
import io.kairos.engine.cron.CronMachine;
import io.kairos.engine.cron.entry.EntryBook;
import io.kairos.engine.replica.ReplicatedLog;

/** A replica as it can be seen on its log's thread. Not to be kept. */
public record ReplicaSight(CronMachine machine, EntryBook book, ReplicatedLog log) {
  boolean hasTable(ComponentId component) {
    return machine.tables().find(component).isPresent();
  }
}
