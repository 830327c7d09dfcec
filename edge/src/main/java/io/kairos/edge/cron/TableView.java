package io.kairos.edge.cron;

import io.kairos.domain.cron.CronTable;
import io.kairos.engine.cron.entry.TableSettings;
import java.util.List;

/** The state of a table in a replica. */
record TableView(TableSettings settings, int entries, long failures, long round) {
  /** All tables, ordered by component. Called on the log's thread. */
  static List<TableView> all(ReplicaView replica) {
    return replica.book().tables().stream().map(settings -> of(replica, settings)).toList();
  }

  private static TableView of(ReplicaView replica, TableSettings settings) {
    CronTable table = replica.machine().tables().table(settings.component());
    return new TableView(
        settings,
        table.count(),
        table.failureCount(),
        replica.machine().rounds().round(settings.component()));
  }
}
