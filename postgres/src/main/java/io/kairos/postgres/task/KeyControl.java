package io.kairos.postgres.task;

import static java.util.Objects.requireNonNull;
import static java.util.Objects.requireNonNullElse;

import io.kairos.domain.task.KeyId;
import io.kairos.domain.task.KeyState;
import io.kairos.domain.task.OrderingKey;
import io.kairos.domain.task.TaskHandler;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.TaskState;
import io.kairos.engine.task.port.HeadResult;
import io.kairos.engine.task.port.KeyQuery;
import io.kairos.engine.task.port.StuckKey;
import io.kairos.engine.task.port.StuckKey.Reason;
import io.kairos.postgres.sql.Call;
import io.kairos.postgres.sql.Columns;
import io.kairos.postgres.sql.Sql;
import io.kairos.postgres.task.KeyRows.Locked;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/** Keys as operators see them, and their upkeep. */
final class KeyControl {
  private static final Sql STUCK = Sql.load(KeyControl.class, "key_stuck.sql");
  private static final Sql HEAD_LOCK = Sql.load(KeyControl.class, "head_lock.sql");
  private static final Sql HEAD_HURRY = Sql.load(KeyControl.class, "head_hurry.sql");
  private static final Sql HEAD_REVIVE = Sql.load(KeyControl.class, "head_revive.sql");
  private static final Sql PAGE = Sql.load(KeyControl.class, "key_page.sql");
  private static final Sql BLOCKED_IDS = Sql.load(KeyControl.class, "key_blocked_ids.sql");
  private static final Sql LOCK_IDLE = Sql.load(KeyControl.class, "key_lock_idle.sql");
  private static final Sql PRUNE = Sql.load(KeyControl.class, "key_prune.sql");

  private KeyControl() {}

  static List<StuckKey> stuck(Connection connection, KeyQuery query) throws SQLException {
    TaskHandler handler = query.handler();
    KeyQuery.Place after = query.after();
    boolean afterBlocked = after != null && after.reason() == Reason.HEAD_IS_RETRIED;
    long number = after == null ? 0 : after.key().value();
    List<StuckKey> stuck = new ArrayList<>();
    try (Call call =
            STUCK
                .on(connection)
                .with("handler", handler == null ? null : handler.wireName())
                .with("after_blocked", afterBlocked ? Long.MAX_VALUE : number)
                .with("after_retried", afterBlocked ? number : 0)
                .with("most_counted", StuckKey.MOST_COUNTED)
                .with("max_keys", query.limit());
        ResultSet rows = call.query()) {
      while (rows.next()) {
        stuck.add(
            new StuckKey(
                new KeyId(rows.getLong(1)),
                TaskHandler.ofWireName(Columns.text(rows, 2)),
                new OrderingKey(Columns.text(rows, 3)),
                rows.getBoolean(4) ? Reason.HEAD_FAILED : Reason.HEAD_IS_RETRIED,
                new TaskId(Columns.uuid(rows, 5)),
                rows.getInt(6),
                requireNonNullElse(rows.getString(7), "")));
      }
    }
    return stuck;
  }

  /** What an operator wants of a head. */
  enum Wish {
    SKIP,
    RETRY
  }

  /** The head is locked before its key, like every task. */
  static HeadResult act(Connection connection, TaskHandler handler, OrderingKey name, Wish wish)
      throws SQLException {
    Optional<KeyId> key = KeyRows.find(connection, handler, name);
    if (key.isEmpty()) {
      return HeadResult.NOT_STUCK;
    }
    Optional<Head> head = head(connection, key.get());
    SortedMap<KeyId, Locked> locked = KeyRows.lock(connection, List.of(key.get()));
    Locked state = locked.get(key.get());
    if (state == null) {
      return HeadResult.NOT_STUCK;
    }
    TaskId blocker = state.state().blockedBy();
    if (blocker != null) {
      return wish == Wish.SKIP
          ? write(connection, locked, key.get(), state.state().skipped())
          : revive(connection, locked, key.get(), state.state(), blocker);
    }
    if (head.isEmpty()
        || head.get().attempt() == 0
        || !head.get().id().equals(state.state().head())) {
      return HeadResult.NOT_STUCK;
    }
    if (head.get().state() == TaskState.PROCESSING) {
      return HeadResult.BEING_PERFORMED;
    }
    if (wish == Wish.RETRY) {
      hurry(connection, head.get().id());
      return HeadResult.DONE;
    }
    Ending.end(connection, List.of(head.get().id()), TaskState.DEAD, "skipped by an operator");
    return write(
        connection,
        locked,
        key.get(),
        state.state().after(KeyState.Change.LEFT, head.get().id(), state.policy()));
  }

  private record Head(TaskId id, TaskState state, int attempt) {}

  private static Optional<Head> head(Connection connection, KeyId key) throws SQLException {
    try (Call call = HEAD_LOCK.on(connection).with("key_id", key.value());
        ResultSet row = call.query()) {
      return row.next()
          ? Optional.of(
              new Head(
                  new TaskId(Columns.uuid(row, 1)), States.of(Columns.text(row, 2)), row.getInt(3)))
          : Optional.empty();
    }
  }

  private static HeadResult revive(
      Connection connection,
      SortedMap<KeyId, Locked> locked,
      KeyId key,
      KeyState state,
      TaskId blocker)
      throws SQLException {
    try (Call call =
        HEAD_REVIVE.on(connection).with("id", blocker.value()).with("key_id", key.value())) {
      if (call.update() == 0) {
        return HeadResult.NOT_STUCK;
      }
    }
    return write(connection, locked, key, state.retried());
  }

  private static HeadResult write(
      Connection connection, SortedMap<KeyId, Locked> locked, KeyId key, KeyState next)
      throws SQLException {
    locked.put(key, requireNonNull(locked.get(key)).with(next));
    KeyRows.update(connection, locked);
    KeyRows.promote(connection, locked);
    return HeadResult.DONE;
  }

  private static void hurry(Connection connection, TaskId task) throws SQLException {
    try (Call call = HEAD_HURRY.on(connection).with("id", task.value())) {
      call.update();
    }
  }

  /** Keys in the order of their numbers. */
  static List<KeyId> page(
      Connection connection, @Nullable TaskHandler handler, Optional<KeyId> after, int limit)
      throws SQLException {
    try (Call call =
        PAGE.on(connection)
            .with("handler", handler == null ? null : handler.wireName())
            .with("after", after.map(KeyId::value).orElse(0L))
            .with("max_keys", limit)) {
      return ids(call);
    }
  }

  /** Wakes what may begin by the policy that holds now; says on how many queues. */
  static int promote(Connection connection, List<KeyId> keys) throws SQLException {
    List<KeyId> blocked;
    try (Call call = BLOCKED_IDS.on(connection).with("ids", KeyRows.ids(keys))) {
      blocked = ids(call);
    }
    return blocked.isEmpty()
        ? 0
        : KeyRows.promote(connection, KeyRows.lock(connection, blocked)).size();
  }

  /**
   * Locks first, then looks once more: a task that was added before the lock is seen. Returns how
   * many were forgotten.
   */
  static int prune(Connection connection, List<KeyId> keys) throws SQLException {
    List<KeyId> idle;
    try (Call call = LOCK_IDLE.on(connection).with("ids", KeyRows.ids(keys))) {
      idle = ids(call);
    }
    if (idle.isEmpty()) {
      return 0;
    }
    try (Call call = PRUNE.on(connection).with("ids", KeyRows.ids(idle))) {
      return call.update();
    }
  }

  private static List<KeyId> ids(Call call) throws SQLException {
    List<KeyId> ids = new ArrayList<>();
    try (ResultSet rows = call.query()) {
      while (rows.next()) {
        ids.add(new KeyId(rows.getLong(1)));
      }
    }
    return ids;
  }
}
