package io.kairos.postgres.task;

import io.kairos.domain.task.KeyId;
import io.kairos.domain.task.KeyPolicy;
import io.kairos.domain.task.KeyPolicy.Ordered;
import io.kairos.domain.task.KeyState;
import io.kairos.domain.task.OrderingKey;
import io.kairos.domain.task.QueueId;
import io.kairos.domain.task.TaskHandler;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.TokenBucket;
import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.task.port.EnqueueRequest;
import io.kairos.engine.task.port.EnqueuedTask;
import io.kairos.postgres.sql.BinaryArray;
import io.kairos.postgres.sql.Call;
import io.kairos.postgres.sql.Columns;
import io.kairos.postgres.sql.Sql;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The rows of keys, locked in a transaction, and the tasks that wait behind them. */
final class KeyRows {
  private static final Sql LOCK = Sql.load(KeyRows.class, "key_lock.sql");
  private static final Sql EARLIEST = Sql.load(KeyRows.class, "key_earliest.sql");
  private static final Sql UPDATE = Sql.load(KeyRows.class, "key_update.sql");
  private static final Sql PROMOTE_FIRST = Sql.load(KeyRows.class, "promote_first.sql");
  private static final Sql PROMOTE_SOME = Sql.load(KeyRows.class, "promote_some.sql");
  private static final Sql BY_NAME = Sql.load(KeyRows.class, "key_by_name.sql");

  private KeyRows() {}

  /**
   * A key whose row is locked.
   *
   * @param nowMicros the store's clock
   */
  record Locked(KeyState state, KeyPolicy policy, long nowMicros) {
    Locked with(KeyState next) {
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

  /** Waits for the locks; keys that are no longer there are left out. */
  static SortedMap<KeyId, Locked> lock(Connection connection, Collection<KeyId> keys)
      throws SQLException {
    SortedMap<KeyId, Locked> locked = new TreeMap<>();
    try (Call call = LOCK.on(connection).with("ids", ids(new TreeSet<>(keys)));
        ResultSet rows = call.query()) {
      while (rows.next()) {
        locked.put(
            new KeyId(rows.getLong(1)),
            new Locked(state(rows), HandlerRows.keyPolicy(rows, 8), rows.getLong(2)));
      }
    }
    return locked;
  }

  private static KeyState state(ResultSet row) throws SQLException {
    double tokens = row.getDouble(6);
    boolean hasNoBucket = row.wasNull();
    return new KeyState(
        row.getInt(3),
        task(row, 4),
        task(row, 5),
        hasNoBucket ? null : new TokenBucket(tokens, row.getLong(7)));
  }

  private static @Nullable TaskId task(ResultSet row, int column) throws SQLException {
    UUID id = row.getObject(column, UUID.class);
    return id == null ? null : new TaskId(id);
  }

  static Map<KeyId, Earliest> earliest(Connection connection, Collection<KeyId> keys)
      throws SQLException {
    Map<KeyId, Earliest> earliest = new HashMap<>();
    if (keys.isEmpty()) {
      return earliest;
    }
    try (Call call = EARLIEST.on(connection).with("ids", ids(keys));
        ResultSet rows = call.query()) {
      while (rows.next()) {
        earliest.put(
            new KeyId(rows.getLong(1)),
            new Earliest(rows.getLong(2), new TaskId(Columns.uuid(rows, 3))));
      }
    }
    return earliest;
  }

  static void update(Connection connection, SortedMap<KeyId, Locked> keys) throws SQLException {
    int size = keys.size();
    if (size == 0) {
      return;
    }
    int[] occupied = new int[size];
    double[] tokens = new double[size];
    long[] tokensAt = new long[size];
    boolean[] hasNoBucket = new boolean[size];
    int i = 0;
    for (Locked key : keys.values()) {
      TokenBucket bucket = key.state().bucket();
      occupied[i] = key.state().occupied();
      hasNoBucket[i] = bucket == null;
      tokens[i] = bucket == null ? 0 : bucket.tokens();
      tokensAt[i] = bucket == null ? 0 : bucket.atMicros();
      i++;
    }
    try (Call call =
        UPDATE
            .on(connection)
            .with("ids", ids(keys.keySet()))
            .with("occupieds", BinaryArray.ints(occupied))
            .with("heads", tasks(keys.values(), KeyState::head))
            .with("blockers", tasks(keys.values(), KeyState::blockedBy))
            .with("tokens", BinaryArray.doubles(tokens, hasNoBucket))
            .with("tokens_ats", BinaryArray.longs(tokensAt, hasNoBucket))) {
      call.update();
    }
  }

  private static BinaryArray tasks(
      Collection<Locked> keys, Function<KeyState, @Nullable TaskId> which) {
    byte[] @Nullable [] texts = new byte[keys.size()][];
    int i = 0;
    for (Locked key : keys) {
      TaskId task = which.apply(key.state());
      texts[i++] = task == null ? null : task.toString().getBytes(StandardCharsets.UTF_8);
    }
    return BinaryArray.texts(texts);
  }

  /**
   * What became of blocked tasks whose turn has come.
   *
   * @param queues on which those of them wait that were not enqueued
   */
  record Promoted(Set<QueueId> queues, List<EnqueuedTask> enqueued) {}

  /** Wakes as many blocked tasks as their keys have room for; says on which queues they wait. */
  static Set<QueueId> promote(Connection connection, SortedMap<KeyId, Locked> keys)
      throws SQLException {
    return promote(connection, keys, null).queues();
  }

  /**
   * The same.
   *
   * @param onto where those of ordered keys are enqueued at once; null for nowhere
   */
  static Promoted promote(
      Connection connection, SortedMap<KeyId, Locked> keys, @Nullable EnqueueRequest onto)
      throws SQLException {
    SortedMap<KeyId, Locked> ordered = new TreeMap<>();
    SortedMap<KeyId, Locked> parallel = new TreeMap<>();
    keys.forEach((id, key) -> {
      if (key.state().room(key.policy()) > 0) {
        (key.isOrdered() ? ordered : parallel).put(id, key);
      }
    });
    Promoted promoted = new Promoted(new HashSet<>(), new ArrayList<>());
    if (!ordered.isEmpty()) {
      promoteFirst(connection, ordered, onto, promoted);
    }
    if (!parallel.isEmpty()) {
      promoteSome(connection, parallel, promoted);
    }
    return promoted;
  }

  private static void promoteFirst(
      Connection connection,
      SortedMap<KeyId, Locked> keys,
      @Nullable EnqueueRequest onto,
      Promoted promoted)
      throws SQLException {
    int[] queues = {};
    int[] limits = {};
    if (onto != null) {
      queues = onto.limits().keySet().stream().mapToInt(QueueId::value).toArray();
      limits = onto.limits().values().stream().mapToInt(Integer::intValue).toArray();
    }
    try (Call call =
            PROMOTE_FIRST
                .on(connection)
                .with("ids", ids(keys.keySet()))
                .with("heads", tasks(keys.values(), KeyState::head))
                .with("queue_ids", BinaryArray.ints(queues))
                .with("limits", BinaryArray.ints(limits))
                .with("node", onto == null ? "" : onto.node().toString())
                .with("max_bytes", onto == null ? 0 : onto.maxBytes())
                .with("ahead_micros", onto == null ? 0 : EpochMicros.lengthOf(onto.ahead()))
                .with(
                    "enqueue_timeout_micros",
                    onto == null ? 0 : EpochMicros.lengthOf(onto.enqueueTimeout()));
        ResultSet rows = call.query()) {
      while (rows.next()) {
        EnqueuedTask enqueued = EnqueuedRows.read(rows);
        if (enqueued == null) {
          promoted.queues().add(EnqueuedRows.queue(rows));
        } else {
          promoted.enqueued().add(enqueued);
        }
      }
    }
  }

  private static void promoteSome(
      Connection connection, SortedMap<KeyId, Locked> keys, Promoted promoted) throws SQLException {
    int[] rooms = keys.values().stream().mapToInt(key -> key.state().room(key.policy())).toArray();
    try (Call call =
            PROMOTE_SOME
                .on(connection)
                .with("ids", ids(keys.keySet()))
                .with("rooms", BinaryArray.ints(rooms));
        ResultSet rows = call.query()) {
      while (rows.next()) {
        promoted.queues().add(new QueueId(rows.getInt(1)));
      }
    }
  }

  static Optional<KeyId> find(Connection connection, TaskHandler handler, OrderingKey key)
      throws SQLException {
    try (Call call =
            BY_NAME.on(connection).with("handler", handler.wireName()).with("key", key.value());
        ResultSet row = call.query()) {
      return row.next() ? Optional.of(new KeyId(row.getLong(1))) : Optional.empty();
    }
  }

  static BinaryArray ids(Collection<KeyId> keys) {
    return BinaryArray.longs(keys.stream().mapToLong(KeyId::value).toArray());
  }

  /** Null where the schema has null. */
  static @Nullable KeyId key(ResultSet row, int column) throws SQLException {
    long id = row.getLong(column);
    return row.wasNull() ? null : new KeyId(id);
  }
}
