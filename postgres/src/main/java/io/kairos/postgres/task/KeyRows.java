package io.kairos.postgres.task;

import io.kairos.domain.task.OrderingKey;
import io.kairos.domain.task.OrderingKeyId;
import io.kairos.domain.task.OrderingKeyPolicy;
import io.kairos.domain.task.OrderingKeyPolicy.Ordered;
import io.kairos.domain.task.OrderingKeyState;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.TokenBucket;
import io.kairos.domain.task.queue.QueueId;
import io.kairos.domain.task.queue.TaskHandler;
import io.kairos.engine.task.port.EnqueueRequest;
import io.kairos.postgres.sql.BinaryArray;
import io.kairos.postgres.sql.ColumnBatch;
import io.kairos.postgres.sql.NonNullColumns;
import io.kairos.postgres.sql.NullableColumns;
import io.kairos.postgres.sql.SqlCall;
import io.kairos.postgres.sql.SqlStatement;
import io.kairos.postgres.task.EnqueuedRows.Woken;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Rows of ordering keys that a transaction has locked, and the tasks that wait behind them. */
final class KeyRows {
  private static final SqlStatement LOCK = SqlStatement.load("task/key_lock.sql");
  private static final SqlStatement EARLIEST = SqlStatement.load("task/key_earliest.sql");
  private static final SqlStatement UPDATE = SqlStatement.load("task/key_update.sql");
  private static final SqlStatement PROMOTE_FIRST = SqlStatement.load("task/promote_first.sql");
  private static final SqlStatement PROMOTE_SOME = SqlStatement.load("task/promote_some.sql");
  private static final SqlStatement BY_NAME = SqlStatement.load("task/key_by_name.sql");

  private KeyRows() {}

  /**
   * A key whose row is locked.
   *
   * @param nowMicros the store's clock, in microseconds since the epoch
   */
  record Locked(OrderingKeyState state, OrderingKeyPolicy policy, long nowMicros) {
    Locked with(OrderingKeyState next) {
      return new Locked(next, policy, nowMicros);
    }

    boolean isOrdered() {
      return policy.mode() instanceof Ordered;
    }
  }

  /** The earliest of the unfinished tasks of a key. */
  record Earliest(long dueMicros, TaskId id) {
    boolean isBefore(long otherDueMicros, TaskId other) {
      return dueMicros < otherDueMicros || (dueMicros == otherDueMicros && id.compareTo(other) < 0);
    }
  }

  /** Locks keys, and waits for the locks. Keys that are no longer there are left out. */
  static SortedMap<OrderingKeyId, Locked> lock(
      Connection connection, Collection<OrderingKeyId> keys) {
    SortedMap<OrderingKeyId, Locked> locked = new TreeMap<>();
    if (keys.isEmpty()) {
      return locked;
    }
    LOCK.on(connection)
        .with("ids", ids(new TreeSet<>(keys)))
        .each(row ->
            locked.put(
                new OrderingKeyId(row.getLong(1)),
                new Locked(state(row), HandlerRows.keyPolicy(row, 8), row.getLong(2))));
    return locked;
  }

  private static OrderingKeyState state(ResultSet row) throws SQLException {
    double tokens = row.getDouble(6);
    boolean hasNoBucket = row.wasNull();
    return new OrderingKeyState(
        row.getInt(3),
        NullableColumns.uuid(row, 4, TaskId::new),
        NullableColumns.uuid(row, 5, TaskId::new),
        hasNoBucket ? null : new TokenBucket(tokens, row.getLong(7)));
  }

  static Map<OrderingKeyId, Earliest> earliest(
      Connection connection, Collection<OrderingKeyId> keys) {
    return keys.isEmpty()
        ? new HashMap<>()
        : EARLIEST
            .on(connection)
            .with("ids", ids(keys))
            .map(
                row -> new OrderingKeyId(row.getLong(1)),
                row -> new Earliest(row.getLong(2), new TaskId(NonNullColumns.uuid(row, 3))));
  }

  static void update(Connection connection, SortedMap<OrderingKeyId, Locked> keys) {
    int size = keys.size();
    if (size == 0) {
      return;
    }
    double[] tokens = new double[size];
    long[] tokensAt = new long[size];
    boolean[] hasNoBucket = new boolean[size];
    int i = 0;
    for (Locked key : keys.values()) {
      TokenBucket bucket = key.state().bucket();
      hasNoBucket[i] = bucket == null;
      tokens[i] = bucket == null ? 0 : bucket.tokens();
      tokensAt[i] = bucket == null ? 0 : bucket.atMicros();
      i++;
    }
    UPDATE
        .on(connection)
        .with("ids", ids(keys.keySet()))
        .with("occupieds", ColumnBatch.ints(keys.values(), key -> key.state().occupied()))
        .with("heads", tasks(keys.values(), OrderingKeyState::head))
        .with("blockers", tasks(keys.values(), OrderingKeyState::blockedBy))
        .with("tokens", BinaryArray.doubles(tokens, hasNoBucket))
        .with("tokens_ats", BinaryArray.longs(tokensAt, hasNoBucket))
        .update();
  }

  private static BinaryArray tasks(
      Collection<Locked> keys, Function<OrderingKeyState, @Nullable TaskId> which) {
    return ColumnBatch.texts(keys, key -> which.apply(key.state()), TaskId::toString);
  }

  /**
   * Wakes as many blocked tasks as their keys have room for.
   *
   * @param onto the queues on which tasks of ordered keys are put at once; null for none
   */
  static Woken promote(
      Connection connection, SortedMap<OrderingKeyId, Locked> keys, @Nullable EnqueueRequest onto) {
    SortedMap<OrderingKeyId, Locked> ordered = new TreeMap<>();
    SortedMap<OrderingKeyId, Locked> parallel = new TreeMap<>();
    keys.forEach((id, key) -> {
      if (key.state().room(key.policy()) > 0) {
        (key.isOrdered() ? ordered : parallel).put(id, key);
      }
    });
    Woken woken = new Woken();
    if (!ordered.isEmpty()) {
      SqlCall call =
          PROMOTE_FIRST
              .on(connection)
              .with("ids", ids(ordered.keySet()))
              .with("heads", tasks(ordered.values(), OrderingKeyState::head));
      woken.add(EnqueuedRows.wake(call, onto));
    }
    if (!parallel.isEmpty()) {
      PROMOTE_SOME
          .on(connection)
          .with("ids", ids(parallel.keySet()))
          .with("rooms", ColumnBatch.ints(parallel.values(), key -> key.state().room(key.policy())))
          .each(row -> woken.queues().add(new QueueId(row.getInt(1))));
    }
    return woken;
  }

  static Optional<OrderingKeyId> find(Connection connection, TaskHandler handler, OrderingKey key) {
    return BY_NAME
        .on(connection)
        .with("handler", handler.wireName())
        .with("key", key.value())
        .optional(row -> new OrderingKeyId(row.getLong(1)));
  }

  static BinaryArray ids(Collection<OrderingKeyId> keys) {
    return ColumnBatch.longs(keys, OrderingKeyId::value);
  }

  /** Returns null when the column is null. */
  static @Nullable OrderingKeyId key(ResultSet row, int column) throws SQLException {
    return NullableColumns.number(row, column, OrderingKeyId::new);
  }
}
