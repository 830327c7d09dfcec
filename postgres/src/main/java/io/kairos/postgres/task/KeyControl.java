package io.kairos.postgres.task;

import static java.util.Objects.requireNonNullElse;

import io.kairos.domain.task.OrderingKey;
import io.kairos.domain.task.OrderingKeyId;
import io.kairos.domain.task.OrderingKeyState;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.TaskState;
import io.kairos.domain.task.queue.TaskHandler;
import io.kairos.engine.task.port.operator.BlockedKey;
import io.kairos.engine.task.port.operator.BlockedKey.Reason;
import io.kairos.engine.task.port.operator.HeadResult;
import io.kairos.engine.task.port.operator.KeyQuery;
import io.kairos.postgres.sql.NonNullColumns;
import io.kairos.postgres.sql.SqlCall;
import io.kairos.postgres.sql.SqlStatement;
import io.kairos.postgres.task.KeyRows.Locked;
import io.kairos.postgres.task.row.TaskStateColumn;
import java.sql.Connection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Shows ordering keys to operators, carries out their commands, and removes unused keys. */
final class KeyControl {
  private static final SqlStatement STUCK = SqlStatement.load("task/key_stuck.sql");
  private static final SqlStatement HEAD_LOCK = SqlStatement.load("task/head_lock.sql");
  private static final SqlStatement HEAD_HURRY = SqlStatement.load("task/head_hurry.sql");
  private static final SqlStatement HEAD_REVIVE = SqlStatement.load("task/head_revive.sql");
  private static final SqlStatement PAGE = SqlStatement.load("task/key_page.sql");
  private static final SqlStatement BLOCKED_IDS = SqlStatement.load("task/key_blocked_ids.sql");
  private static final SqlStatement LOCK_IDLE = SqlStatement.load("task/key_lock_idle.sql");
  private static final SqlStatement PRUNE = SqlStatement.load("task/key_prune.sql");

  private KeyControl() {}

  static List<BlockedKey> stuck(Connection connection, KeyQuery query) {
    TaskHandler handler = query.handler();
    KeyQuery.PageStart after = query.after();
    boolean afterBlocked = after != null && after.reason() == Reason.HEAD_IS_RETRIED;
    long number = after == null ? 0 : after.key().value();
    return STUCK
        .on(connection)
        .with("handler", handler, TaskHandler::wireName)
        .with("after_blocked", afterBlocked ? Long.MAX_VALUE : number)
        .with("after_retried", afterBlocked ? number : 0)
        .with("most_counted", BlockedKey.MOST_COUNTED)
        .with("max_keys", query.limit())
        .list(row ->
            new BlockedKey(
                new OrderingKeyId(row.getLong(1)),
                TaskHandler.ofWireName(NonNullColumns.text(row, 2)),
                new OrderingKey(NonNullColumns.text(row, 3)),
                row.getBoolean(4) ? Reason.HEAD_FAILED : Reason.HEAD_IS_RETRIED,
                new TaskId(NonNullColumns.uuid(row, 5)),
                row.getInt(6),
                requireNonNullElse(row.getString(7), "")));
  }

  /** An operator's command for the head of a key. */
  enum Command {
    SKIP,
    RETRY
  }

  /**
   * Carries out a command. The head is locked before its key, as every task is.
   *
   * @param expected the head that is meant; null for whichever it is
   */
  static HeadResult act(
      Connection connection,
      TaskHandler handler,
      OrderingKey name,
      @Nullable TaskId expected,
      Command command) {
    Optional<OrderingKeyId> found = KeyRows.find(connection, handler, name);
    if (found.isEmpty()) {
      return HeadResult.NOT_STUCK;
    }
    OrderingKeyId id = found.get();
    Head head = head(connection, id);
    Locked key = KeyRows.lock(connection, List.of(id)).get(id);
    if (key == null) {
      return HeadResult.NOT_STUCK;
    }
    TaskId blocker = key.state().blockedBy();
    if (blocker != null) {
      if (expected != null && !blocker.equals(expected)) {
        return HeadResult.OTHER_HEAD;
      }
      if (command == Command.SKIP) {
        return write(connection, id, key.with(key.state().skipped()));
      }
      SqlCall revive = HEAD_REVIVE.on(connection).with("id", blocker.value());
      if (revive.with("key_id", id.value()).update() == 0) {
        return HeadResult.NOT_STUCK;
      }
      TaskGraphs.putBack(connection, List.of(blocker));
      return write(connection, id, key.with(key.state().retried()));
    }
    if (head == null || head.attempt() == 0 || !head.id().equals(key.state().head())) {
      return HeadResult.NOT_STUCK;
    }
    if (expected != null && !head.id().equals(expected)) {
      return HeadResult.OTHER_HEAD;
    }
    if (head.state() == TaskState.PROCESSING) {
      return HeadResult.BEING_PERFORMED;
    }
    if (command == Command.RETRY) {
      HEAD_HURRY.on(connection).with("id", head.id().value()).update();
      return HeadResult.DONE;
    }
    TaskEnds.end(connection, List.of(head.id()), TaskState.DEAD, "skipped by an operator");
    return write(
        connection,
        id,
        key.with(key.state().after(OrderingKeyState.Change.LEFT, head.id(), key.policy())));
  }

  private record Head(TaskId id, TaskState state, int attempt) {}

  private static @Nullable Head head(Connection connection, OrderingKeyId key) {
    return HEAD_LOCK
        .on(connection)
        .with("key_id", key.value())
        .optional(row ->
            new Head(
                new TaskId(NonNullColumns.uuid(row, 1)),
                TaskStateColumn.of(NonNullColumns.text(row, 2)),
                row.getInt(3)))
        .orElse(null);
  }

  private static HeadResult write(Connection connection, OrderingKeyId key, Locked next) {
    SortedMap<OrderingKeyId, Locked> changed = new TreeMap<>(Map.of(key, next));
    KeyRows.update(connection, changed);
    KeyRows.promote(connection, changed, null);
    return HeadResult.DONE;
  }

  /**
   * Returns keys in the order of their numbers.
   *
   * @param handler null for the keys of all handlers
   */
  static List<OrderingKeyId> page(
      Connection connection,
      @Nullable TaskHandler handler,
      Optional<OrderingKeyId> after,
      int limit) {
    return ids(
        PAGE.on(connection)
            .with("handler", handler, TaskHandler::wireName)
            .with("after", after.map(OrderingKeyId::value).orElse(0L))
            .with("max_keys", limit));
  }

  /**
   * Wakes the tasks that may begin by the present policy.
   *
   * @return how many queues they wait on
   */
  static int promote(Connection connection, List<OrderingKeyId> keys) {
    List<OrderingKeyId> blocked = ids(BLOCKED_IDS.on(connection).with("ids", KeyRows.ids(keys)));
    return blocked.isEmpty()
        ? 0
        : KeyRows.promote(connection, KeyRows.lock(connection, blocked), null).queues().size();
  }

  /**
   * Deletes the keys among these that no task uses. Keys are locked first and checked again, so
   * that a task which was added before the lock is seen.
   *
   * @return how many keys were deleted
   */
  static int prune(Connection connection, List<OrderingKeyId> keys) {
    List<OrderingKeyId> idle = ids(LOCK_IDLE.on(connection).with("ids", KeyRows.ids(keys)));
    if (idle.isEmpty()) {
      return 0;
    }
    return PRUNE.on(connection).with("ids", KeyRows.ids(idle)).update();
  }

  private static List<OrderingKeyId> ids(SqlCall call) {
    return call.list(row -> new OrderingKeyId(row.getLong(1)));
  }
}
