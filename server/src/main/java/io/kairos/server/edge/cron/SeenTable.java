package io.kairos.server.edge.cron;

import io.kairos.domain.cron.CronTable;
import io.kairos.engine.cron.entry.TableSettings;
import java.util.List;

/** A table as its replica has it. */
record SeenTable(TableSettings settings, int entries, long failures, long round) {
  /** All of them, by component. On the log's thread. */
  static List<SeenTable> all(ReplicaSight replica) {
    return replica.book().tables().stream().map(settings -> of(replica, settings)).toList();
  }

  private static SeenTable of(ReplicaSight replica, TableSettings settings) {
    CronTable table = replica.machine().tables().table(settings.component());
    return new SeenTable(
        settings,
        table.count(),
        table.failureCount(),
        replica.machine().rounds().round(settings.component()));
  }
}
