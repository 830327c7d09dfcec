package io.kairos.postgres.task;

import io.kairos.domain.task.limit.LimitName;
import io.kairos.domain.task.limit.LimitPattern;
import io.kairos.domain.task.limit.LimitRoom;
import io.kairos.domain.task.queue.QueueId;
import io.kairos.domain.task.queue.TaskQueueLimit;
import io.kairos.engine.node.StoreUnavailable;
import io.kairos.engine.task.port.SweptLimits;
import io.kairos.engine.task.port.operator.KeyLimitChange;
import io.kairos.engine.task.port.operator.KeyLimitOperations;
import io.kairos.engine.task.port.operator.KeyLimitUse;
import io.kairos.engine.task.port.operator.LimitNameUse;
import io.kairos.postgres.sql.ColumnBatch;
import io.kairos.postgres.sql.NonNullColumns;
import io.kairos.postgres.sql.SqlDatabase;
import io.kairos.postgres.sql.SqlStatement;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Limits by key as operators set and see them, and their upkeep. */
final class KeyLimitRows {
  private static final SqlStatement COUNT = SqlStatement.load("task/key_limit_count.sql");
  private static final SqlStatement HOLD = SqlStatement.load("task/key_limit_hold.sql");
  private static final SqlStatement SET = SqlStatement.load("task/key_limit_set.sql");
  private static final SqlStatement REMOVE = SqlStatement.load("task/key_limit_remove.sql");
  private static final SqlStatement LIST = SqlStatement.load("task/key_limit_list.sql");
  private static final SqlStatement PAGE = SqlStatement.load("task/key_use_page.sql");
  private static final SqlStatement RECOUNT = SqlStatement.load("task/key_use_recount.sql");
  private static final SqlStatement WRONG = SqlStatement.load("task/key_use_wrong.sql");
  private static final SqlStatement IDLE = SqlStatement.load("task/key_use_idle.sql");
  private static final SqlStatement PRUNE = SqlStatement.load("task/key_use_prune.sql");
  private static final SqlStatement ANY = SqlStatement.load("task/key_use_any.sql");
  private static final SqlStatement NAMES = SqlStatement.load("task/key_wait_names.sql");
  private static final SqlStatement ENROL_HOLD = SqlStatement.load("node/enrol_hold.sql");
  private static final SqlStatement RETIRE_OLDER = SqlStatement.load("node/retire_older.sql");
  private static final SqlStatement OLDER = SqlStatement.load("node/older.sql");

  /** The migration that brought limits by key. */
  private static final int SINCE = 26;

  /** Names whose lines one transaction looks at, and keeps locked meanwhile. */
  private static final int NAMES_AT_ONCE = 50;

  /** Used names among which those are looked for that nobody uses any more. */
  private static final int MOST_LOOKED_AT = 20_000;

  private static final int MOST_PRUNED = 5_000;

  private KeyLimitRows() {}

  private record Count(int all, boolean hasPattern) {}

  private static Count count(Connection connection, LimitPattern pattern) {
    return COUNT
        .on(connection)
        .with("pattern", pattern.value())
        .one(row -> new Count(row.getInt(1), row.getBoolean(2)));
  }

  /** Sets a limit. Needs a transaction. */
  static KeyLimitChange set(Connection connection, LimitPattern pattern, TaskQueueLimit limit) {
    HOLD.on(connection).execute();
    Count before = count(connection, pattern);
    if (before.all() == 0) {
      ENROL_HOLD.on(connection).execute();
      RETIRE_OLDER.on(connection).with("version", SINCE).update();
      int older = OLDER.on(connection).with("version", SINCE).one(row -> row.getInt(1));
      if (older > 0) {
        return new KeyLimitChange.OlderNodes(older);
      }
    }
    if (!before.hasPattern() && before.all() >= KeyLimitOperations.MOST_LIMITS) {
      return new KeyLimitChange.TooMany();
    }
    SET.on(connection)
        .with("pattern", pattern.value())
        .withOptional("max_running", limit.maxRunning())
        .withOptional("rate", limit.perSecond())
        .withOptional("burst", limit.burst())
        .update();
    RECOUNT.on(connection).update();
    return new KeyLimitChange.Done();
  }

  /** Removes a limit. Needs a transaction. */
  static boolean remove(Connection connection, LimitPattern pattern) {
    HOLD.on(connection).execute();
    boolean removed = REMOVE.on(connection).with("pattern", pattern.value()).update() > 0;
    if (removed) {
      // names that have another limit now
      RECOUNT.on(connection).update();
    }
    return removed;
  }

  /**
   * Reads limits by pattern.
   *
   * @param pattern null for all
   */
  static List<KeyLimitUse> list(Connection connection, @Nullable LimitPattern pattern) {
    return LIST.on(connection)
        .with("pattern", pattern == null ? null : pattern.value())
        .with("most", KeyLimitOperations.MOST_COUNTED)
        .list(row ->
            new KeyLimitUse(
                new LimitPattern(NonNullColumns.text(row, 1)),
                KeyLimits.limit(row, 2),
                row.getLong(5),
                row.getLong(6),
                row.getLong(7)));
  }

  static List<LimitNameUse> uses(
      Connection connection, LimitPattern pattern, @Nullable LimitName after, int limit) {
    return PAGE.on(connection)
        .with("after", after == null ? "" : after.value())
        .with("pattern", pattern.value())
        .with("most", KeyLimitOperations.MOST_COUNTED)
        .with("max_names", limit)
        .list(KeyLimitRows::use);
  }

  private static LimitNameUse use(ResultSet row) throws SQLException {
    TaskQueueLimit limit = KeyLimits.limit(row, 6);
    Double tokens = (Double) row.getObject(4);
    return new LimitNameUse(
        new LimitName(NonNullColumns.text(row, 1)),
        row.getLong(2),
        row.getLong(3),
        limit.perSecond() == null
            ? null
            : (Double)
                (tokens == null ? limit.size() : LimitRoom.tokens(limit, tokens, row.getLong(5))));
  }

  /**
   * Corrects the counts, and forgets names that nobody uses. Claims and ends wait for it only when
   * a count is wrong, which none should be, or some names are to be forgotten.
   */
  static void recount(SqlDatabase database) {
    if (!database.single(
        "looking for uses of limits by key", connection -> ANY.on(connection).any())) {
      return;
    }
    List<LimitName> idle =
        database
            .call("looking for limits by key that nobody uses", IDLE)
            .with("most", MOST_LOOKED_AT)
            .with("max_names", MOST_PRUNED)
            .list(row -> new LimitName(NonNullColumns.text(row, 1)));
    if (!idle.isEmpty()) {
      database.transaction(
          "forgetting limits by key that nobody uses",
          connection -> {
            HOLD.on(connection).execute();
            return PRUNE
                .on(connection)
                .with("names", ColumnBatch.texts(idle, LimitName::value))
                .update();
          });
    }
    // after that, as it reads all that is left
    boolean isWrong =
        database.single(
            "comparing what limits by key count", connection -> WRONG.on(connection).any());
    if (isWrong) {
      database.transaction(
          "counting what limits by key count",
          connection -> {
            HOLD.on(connection).execute();
            return RECOUNT.on(connection).update();
          });
    }
  }

  /** See {@link io.kairos.engine.task.port.TaskStepStore#sweepLimits}. */
  static SweptLimits sweep(
      SqlDatabase database, @Nullable LimitName after, Set<QueueId> unserved, int limit) {
    int most = Math.min(limit, NAMES_AT_ONCE);
    List<LimitName> names =
        database
            .call("looking for tasks that wait for limits", NAMES)
            .with("after", after == null ? "" : after.value())
            .with("max_names", most)
            .list(row -> new LimitName(NonNullColumns.text(row, 1)));
    if (names.isEmpty()) {
      return SweptLimits.NONE;
    }
    LimitName last = names.size() == most ? names.getLast() : null;
    Set<QueueId> unservedToo = new HashSet<>(unserved);
    try {
      KeyLimits.Swept some =
          database.transaction(
              "waking tasks that wait for limits",
              connection -> KeyLimits.sweep(connection, names, unservedToo, limit));
      return new SweptLimits(last, some.woken(), some.takenOut(), some.queues(), unservedToo, null);
    } catch (StoreUnavailable e) {
      return new SweptLimits(last, 0, 0, Set.of(), unserved, e);
    }
  }
}
