package io.kairos.postgres.task;

import io.kairos.domain.node.NodeId;
import io.kairos.domain.task.FencedTask;
import io.kairos.domain.time.EpochMicros;
import io.kairos.postgres.sql.ColumnBatch;
import io.kairos.postgres.sql.SqlStatement;
import io.kairos.postgres.task.row.FencedRows;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.Set;

/** Makes enqueued tasks wait again. */
final class TaskReturns {
  private static final SqlStatement GIVE_BACK =
      SqlStatement.load(TaskReturns.class, "give_back.sql");
  private static final SqlStatement GIVE_BACK_DEPARTED =
      SqlStatement.load(TaskReturns.class, "give_back_departed.sql");

  private TaskReturns() {}

  static Set<FencedTask> released(
      Connection connection, Collection<FencedTask> enqueued, Duration enqueueTimeout)
      throws SQLException {
    return run(connection, enqueued, false, EpochMicros.lengthOf(enqueueTimeout));
  }

  /** Makes tasks wait again whose enqueue timeout has passed. */
  static Set<FencedTask> timedOut(Connection connection, Collection<FencedTask> enqueued)
      throws SQLException {
    return run(connection, enqueued, true, 0);
  }

  private static Set<FencedTask> run(
      Connection connection,
      Collection<FencedTask> enqueued,
      boolean onlyIfLapsed,
      long timeoutMicros)
      throws SQLException {
    return FencedRows.returnedBy(
        FencedRows.of(enqueued)
            .bind(GIVE_BACK.on(connection))
            .with("only_if_lapsed", onlyIfLapsed)
            .with("timeout_micros", timeoutMicros));
  }

  static int ofDeparted(
      Connection connection, Set<NodeId> nodes, Duration enqueueTimeout, int limit)
      throws SQLException {
    return GIVE_BACK_DEPARTED
        .on(connection)
        .with("nodes", ColumnBatch.texts(nodes, NodeId::toString))
        .with("timeout_micros", EpochMicros.lengthOf(enqueueTimeout))
        .with("max_tasks", limit)
        .update();
  }
}
