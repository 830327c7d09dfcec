package io.kairos.bench.task;

import io.kairos.bench.delay.Progress;
import io.kairos.bench.report.Shown;
import io.kairos.bench.rig.NodeProcess;
import io.kairos.bench.rig.Rig;
import io.kairos.client.KairosClient;
import io.kairos.client.QueueLimit;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * Very many overdue tasks of another handler, of the same workers, in a queue of which one may run
 * at a time.
 */
record BehindCap(Rig rig, long tasks, int payloadBytes, Progress progress) implements Change {
  @Override
  public String about() {
    return "%s tasks of %d ms waiting in a queue of which one may run at a time"
        .formatted(Shown.count(tasks), TaskWorkerMain.SLOW_MILLIS);
  }

  @Override
  public void make() throws SQLException {
    String[] addresses = rig.nodes().stream().map(NodeProcess::address).toArray(String[]::new);
    try (KairosClient client = KairosClient.connect(addresses);
        Connection connection = rig.connect()) {
      client
          .queues()
          .limit(new QueueLimit(TaskWorkerMain.SLOW_HANDLER, Limits.PRIORITY, 1, null, null, 0));
      Backdrop.overdue(TaskWorkerMain.SLOW_HANDLER, tasks, payloadBytes)
          .paint(connection, progress);
    }
  }

  @Override
  public boolean undo() {
    return false;
  }
}
