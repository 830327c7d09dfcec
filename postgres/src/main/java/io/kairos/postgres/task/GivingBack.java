package io.kairos.postgres.task;

import io.kairos.domain.node.NodeId;
import io.kairos.domain.task.FencedTask;
import io.kairos.domain.time.EpochMicros;
import io.kairos.postgres.sql.BinaryArray;
import io.kairos.postgres.sql.Call;
import io.kairos.postgres.sql.Sql;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.Set;

/** Makes enqueued tasks wait again. */
final class GivingBack {
  private static final Sql GIVE_BACK = Sql.load(GivingBack.class, "give_back.sql");
  private static final Sql GIVE_BACK_DEPARTED =
      Sql.load(GivingBack.class, "give_back_departed.sql");

  private GivingBack() {}

  static Set<FencedTask> released(
      Connection connection, Collection<FencedTask> enqueued, Duration enqueueTimeout)
      throws SQLException {
    return run(connection, enqueued, false, EpochMicros.lengthOf(enqueueTimeout));
  }

  /** Those whose enqueue timeout has passed. */
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
    try (Call call =
        Fenced.of(enqueued)
            .bind(GIVE_BACK.on(connection))
            .with("only_if_lapsed", onlyIfLapsed)
            .with("timeout_micros", timeoutMicros)) {
      return Fenced.returnedBy(call);
    }
  }

  static int ofDeparted(
      Connection connection, Set<NodeId> nodes, Duration enqueueTimeout, int limit)
      throws SQLException {
    byte[][] names =
        nodes.stream()
            .map(node -> node.toString().getBytes(StandardCharsets.UTF_8))
            .toArray(byte[][]::new);
    try (Call call =
        GIVE_BACK_DEPARTED
            .on(connection)
            .with("nodes", BinaryArray.texts(names))
            .with("timeout_micros", EpochMicros.lengthOf(enqueueTimeout))
            .with("max_tasks", limit)) {
      return call.update();
    }
  }
}
