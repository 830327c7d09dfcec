package io.kairos.postgres.task;

import io.kairos.domain.task.QueueId;
import io.kairos.domain.task.QueueLimit;
import io.kairos.engine.task.port.QueueUse;
import io.kairos.postgres.sql.Call;
import io.kairos.postgres.sql.Sql;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import java.util.function.UnaryOperator;

/** Limits of queues. Claims and ends count in their own statements. */
final class Limits {
  private static final Sql TURN = Sql.load(Limits.class, "limit_turn.sql");
  private static final Sql SET = Sql.load(Limits.class, "limit_set.sql");
  private static final Sql REMOVE = Sql.load(Limits.class, "limit_remove.sql");
  private static final Sql LIST = Sql.load(Limits.class, "limit_list.sql");
  private static final Sql TRY = Sql.load(Limits.class, "limit_try.sql");
  private static final Sql RECOUNT = Sql.load(Limits.class, "limit_recount.sql");

  private Limits() {}

  /** Needs a transaction; two that change the limit of a queue take turns. */
  static QueueUse change(Connection connection, QueueId queue, UnaryOperator<QueueLimit> change)
      throws SQLException {
    try (Call call = TURN.on(connection).with("queue_id", queue.value())) {
      call.query();
    }
    set(connection, queue, change.apply(use(connection, queue).limit()));
    return use(connection, queue);
  }

  private static QueueUse use(Connection connection, QueueId queue) throws SQLException {
    return list(connection).getOrDefault(queue, QueueUse.NONE);
  }

  private static int set(Connection connection, QueueId queue, QueueLimit limit)
      throws SQLException {
    if (limit.isNone()) {
      try (Call call = REMOVE.on(connection).with("queue_id", queue.value())) {
        return call.update();
      }
    }
    try (Call call =
        SET.on(connection)
            .with("queue_id", queue.value())
            .withOptional("max_running", limit.maxRunning())
            .withOptional("rate", limit.perSecond())
            .withOptional("burst", limit.burst())) {
      return call.update();
    }
  }

  static Map<QueueId, QueueUse> list(Connection connection) throws SQLException {
    Map<QueueId, QueueUse> limits = new HashMap<>();
    try (Call call = LIST.on(connection);
        ResultSet rows = call.query()) {
      while (rows.next()) {
        limits.put(
            new QueueId(rows.getInt(1)),
            new QueueUse(
                new QueueLimit(
                    (Integer) rows.getObject(2),
                    (Double) rows.getObject(3),
                    (Integer) rows.getObject(4)),
                rows.getInt(5)));
      }
    }
    return limits;
  }

  /** Needs a transaction. Leaves it to whoever is just doing it. */
  static int recount(Connection connection) throws SQLException {
    try (Call call = TRY.on(connection);
        ResultSet row = call.query()) {
      if (!row.next() || !row.getBoolean(1)) {
        return 0;
      }
    }
    try (Call call = RECOUNT.on(connection)) {
      return call.update();
    }
  }
}
