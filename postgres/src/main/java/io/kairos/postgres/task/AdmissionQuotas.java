package io.kairos.postgres.task;

import io.kairos.domain.task.queue.QueueId;
import io.kairos.domain.task.queue.TaskHandler;
import io.kairos.engine.task.port.operator.AdmissionQuota;
import io.kairos.postgres.sql.BinaryArray;
import io.kairos.postgres.sql.ColumnBatch;
import io.kairos.postgres.sql.NonNullColumns;
import io.kairos.postgres.sql.SqlStatement;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The admission quotas that a transaction which stores tasks must keep. A quota bounds the
 * unfinished tasks of a handler. The handler's row is locked until the commit, so that the count is
 * exact. Handlers without a quota are neither locked nor counted.
 */
final class AdmissionQuotas {
  private static final SqlStatement LOCK = SqlStatement.load("task/quota_lock.sql");
  private static final SqlStatement ADD = SqlStatement.load("task/quota_add.sql");
  private static final SqlStatement READ = SqlStatement.load("task/quota_read.sql");
  private static final SqlStatement ALL = SqlStatement.load("task/quota_all.sql");
  private static final SqlStatement TURN = SqlStatement.load("task/quota_turn.sql");
  private static final SqlStatement TRY = SqlStatement.load("task/quota_try.sql");
  private static final SqlStatement COUNT = SqlStatement.load("task/quota_count.sql");
  private static final SqlStatement STATEMENT_TIMEOUT =
      SqlStatement.load("task/statement_timeout.sql");

  /** Ten times the limit of other statements. Only the caller that sets the quota waits for it. */
  private static final Duration LONGEST_COUNT = Duration.ofSeconds(30);

  private static final Duration SOCKET_GRACE = Duration.ofSeconds(2);

  private final Map<TaskHandler, AdmissionQuota> byHandler = new HashMap<>();
  private final Map<QueueId, TaskHandler> handlers = new HashMap<>();
  private final Map<TaskHandler, Long> added = new HashMap<>();

  private AdmissionQuotas() {}

  static AdmissionQuotas lock(Connection connection, int[] queues) {
    AdmissionQuotas quotas = new AdmissionQuotas();
    LOCK.on(connection)
        .with("queue_ids", BinaryArray.ints(queues))
        .each(row -> {
          TaskHandler handler = TaskHandler.ofWireName(NonNullColumns.text(row, 2));
          quotas.handlers.put(new QueueId(row.getInt(1)), handler);
          quotas.byHandler.put(handler, new AdmissionQuota(row.getLong(3), row.getLong(4)));
        });
    return quotas;
  }

  /**
   * Counts the tasks of one request, unless a quota refuses one of them.
   *
   * @return the handler whose quota refuses the request, null when it is admitted
   */
  @Nullable TaskHandler admit(List<QueueId> queues) {
    Map<TaskHandler, Long> wanted = byHandler(queues);
    for (Map.Entry<TaskHandler, Long> one : wanted.entrySet()) {
      AdmissionQuota quota = byHandler.get(one.getKey());
      long soFar = added.getOrDefault(one.getKey(), 0L);
      if (quota != null && !quota.allows(soFar + one.getValue())) {
        return one.getKey();
      }
    }
    add(wanted);
    return null;
  }

  /** Counts tasks that no quota refuses. */
  void take(List<QueueId> queues) {
    add(byHandler(queues));
  }

  private Map<TaskHandler, Long> byHandler(List<QueueId> queues) {
    Map<TaskHandler, Long> wanted = new HashMap<>();
    for (QueueId queue : queues) {
      TaskHandler handler = handlers.get(queue);
      if (handler != null) {
        wanted.merge(handler, 1L, Long::sum);
      }
    }
    return wanted;
  }

  private void add(Map<TaskHandler, Long> wanted) {
    wanted.forEach((handler, count) -> added.merge(handler, count, Long::sum));
  }

  void write(Connection connection) {
    if (added.isEmpty()) {
      return;
    }
    List<TaskHandler> names = new ArrayList<>(added.keySet());
    ADD.on(connection)
        .with("handlers", ColumnBatch.texts(names, TaskHandler::wireName))
        .with("added", ColumnBatch.longs(names, name -> added.getOrDefault(name, 0L)))
        .update();
  }

  static Optional<AdmissionQuota> read(Connection connection, TaskHandler handler) {
    return READ.on(connection)
        .with("handler", handler.wireName())
        .optional(row -> new AdmissionQuota(row.getLong(1), row.getLong(2)));
  }

  static List<TaskHandler> all(Connection connection) {
    return ALL.on(connection).list(row -> TaskHandler.ofWireName(NonNullColumns.text(row, 1)));
  }

  /**
   * Counts the unfinished tasks of a handler. Needs a transaction; others store and end tasks
   * meanwhile.
   */
  static int count(Connection connection, TaskHandler handler) throws SQLException {
    takeTime(connection);
    TURN.on(connection).with("handler", handler.wireName()).execute();
    return mend(connection, handler);
  }

  /**
   * Counts the unfinished tasks of a handler, unless another transaction is counting them.
   *
   * @return true when this call has counted
   */
  static boolean recount(Connection connection, TaskHandler handler) throws SQLException {
    takeTime(connection);
    boolean isMine =
        TRY.on(connection).with("handler", handler.wireName()).one(row -> row.getBoolean(1));
    if (isMine) {
      mend(connection, handler);
    }
    return isMine;
  }

  /**
   * Raises the time limit of this transaction's statements. The database's limit holds to the end
   * of the transaction, the socket's until the connection returns to the pool.
   */
  private static void takeTime(Connection connection) throws SQLException {
    connection.setNetworkTimeout(
        Runnable::run, Math.toIntExact(LONGEST_COUNT.plus(SOCKET_GRACE).toMillis()));
    STATEMENT_TIMEOUT
        .on(connection)
        .with("statement_timeout_millis", LONGEST_COUNT.toMillis())
        .execute();
  }

  private static int mend(Connection connection, TaskHandler handler) {
    return COUNT.on(connection).with("handler", handler.wireName()).update();
  }
}
