package io.kairos.postgres.task;

import io.kairos.domain.task.QueueId;
import io.kairos.domain.task.TaskHandler;
import io.kairos.engine.task.port.Quota;
import io.kairos.postgres.sql.BinaryArray;
import io.kairos.postgres.sql.Call;
import io.kairos.postgres.sql.Columns;
import io.kairos.postgres.sql.Sql;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The admission quotas of a transaction that stores tasks: how many unfinished ones a handler may
 * have, under the lock of its row, so that the count is exact. Handlers without a quota have none
 * of this.
 */
final class Quotas {
  private static final Sql LOCK = Sql.load(Quotas.class, "quota_lock.sql");
  private static final Sql ADD = Sql.load(Quotas.class, "quota_add.sql");
  private static final Sql SET = Sql.load(Quotas.class, "quota_set.sql");
  private static final Sql READ = Sql.load(Quotas.class, "quota_read.sql");
  private static final Sql ALL = Sql.load(Quotas.class, "quota_all.sql");
  private static final Sql TURN = Sql.load(Quotas.class, "quota_turn.sql");
  private static final Sql TRY = Sql.load(Quotas.class, "quota_try.sql");
  private static final Sql COUNT = Sql.load(Quotas.class, "quota_count.sql");
  private static final Sql STATEMENT_TIMEOUT = Sql.load(Quotas.class, "statement_timeout.sql");

  /** Ten times what other statements may take; nobody waits for it but who has set the quota. */
  private static final Duration LONGEST_COUNT = Duration.ofSeconds(30);

  private static final Duration SOCKET_GRACE = Duration.ofSeconds(2);

  private final Map<TaskHandler, Quota> byHandler = new HashMap<>();
  private final Map<QueueId, TaskHandler> handlers = new HashMap<>();
  private final Map<TaskHandler, Long> added = new HashMap<>();

  private Quotas() {}

  static Quotas lock(Connection connection, int[] queues) throws SQLException {
    Quotas quotas = new Quotas();
    try (Call call = LOCK.on(connection).with("queue_ids", BinaryArray.ints(queues));
        ResultSet rows = call.query()) {
      while (rows.next()) {
        TaskHandler handler = TaskHandler.ofWireName(Columns.text(rows, 2));
        quotas.handlers.put(new QueueId(rows.getInt(1)), handler);
        quotas.byHandler.put(handler, new Quota(rows.getLong(3), rows.getLong(4)));
      }
    }
    return quotas;
  }

  /**
   * Counts the tasks of one request, all or none.
   *
   * @return the handler that may not have so many, null when all may
   */
  @Nullable TaskHandler admit(List<QueueId> queues) {
    Map<TaskHandler, Long> wanted = byHandler(queues);
    for (Map.Entry<TaskHandler, Long> one : wanted.entrySet()) {
      Quota quota = byHandler.get(one.getKey());
      long soFar = added.getOrDefault(one.getKey(), 0L);
      if (quota != null && !quota.allows(soFar + one.getValue())) {
        return one.getKey();
      }
    }
    add(wanted);
    return null;
  }

  /** Counts tasks that are never refused. */
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

  void write(Connection connection) throws SQLException {
    if (added.isEmpty()) {
      return;
    }
    List<TaskHandler> names = new ArrayList<>(added.keySet());
    byte[][] texts =
        names.stream()
            .map(name -> name.wireName().getBytes(StandardCharsets.UTF_8))
            .toArray(byte[][]::new);
    long[] counts = names.stream().mapToLong(name -> added.getOrDefault(name, 0L)).toArray();
    try (Call call =
        ADD.on(connection)
            .with("handlers", BinaryArray.texts(texts))
            .with("added", BinaryArray.longs(counts))) {
      call.update();
    }
  }

  /**
   * Sets a quota, or none. What there is must be counted afterwards, in a transaction of its own:
   * all that is stored for the handler waits for this one.
   */
  static void set(Connection connection, TaskHandler handler, @Nullable Long maxUnfinished)
      throws SQLException {
    try (Call call =
        SET.on(connection)
            .with("handler", handler.wireName())
            .with("max_unfinished", maxUnfinished)) {
      call.update();
    }
  }

  static Optional<Quota> read(Connection connection, TaskHandler handler) throws SQLException {
    try (Call call = READ.on(connection).with("handler", handler.wireName());
        ResultSet row = call.query()) {
      return row.next() ? Optional.of(new Quota(row.getLong(1), row.getLong(2))) : Optional.empty();
    }
  }

  static List<TaskHandler> all(Connection connection) throws SQLException {
    List<TaskHandler> all = new ArrayList<>();
    try (Call call = ALL.on(connection);
        ResultSet rows = call.query()) {
      while (rows.next()) {
        all.add(TaskHandler.ofWireName(Columns.text(rows, 1)));
      }
    }
    return all;
  }

  /** Needs a transaction. While it counts, tasks are stored and end. */
  static int count(Connection connection, TaskHandler handler) throws SQLException {
    takeTime(connection);
    try (Call call = TURN.on(connection).with("handler", handler.wireName())) {
      call.query();
    }
    return mend(connection, handler);
  }

  /** The same, unless somebody else is counting; says whether it did. */
  static boolean recount(Connection connection, TaskHandler handler) throws SQLException {
    takeTime(connection);
    try (Call call = TRY.on(connection).with("handler", handler.wireName());
        ResultSet row = call.query()) {
      if (!row.next() || !row.getBoolean(1)) {
        return false;
      }
    }
    mend(connection, handler);
    return true;
  }

  /**
   * Lets statements run for longer than others may: the database's limit to the end of the
   * transaction, the socket's until the pool has the connection back.
   */
  private static void takeTime(Connection connection) throws SQLException {
    connection.setNetworkTimeout(
        Runnable::run, Math.toIntExact(LONGEST_COUNT.plus(SOCKET_GRACE).toMillis()));
    try (Call call =
        STATEMENT_TIMEOUT
            .on(connection)
            .with("statement_timeout_millis", LONGEST_COUNT.toMillis())) {
      call.query();
    }
  }

  private static int mend(Connection connection, TaskHandler handler) throws SQLException {
    try (Call call = COUNT.on(connection).with("handler", handler.wireName())) {
      return call.update();
    }
  }
}
