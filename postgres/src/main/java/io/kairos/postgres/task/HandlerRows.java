package io.kairos.postgres.task;

import io.kairos.domain.task.OrderingKeyPolicy;
import io.kairos.domain.task.OrderingKeyPolicy.Mode;
import io.kairos.domain.task.OrderingKeyPolicy.OnDead;
import io.kairos.domain.task.OrderingKeyPolicy.Ordered;
import io.kairos.domain.task.OrderingKeyPolicy.Parallel;
import io.kairos.domain.task.OrderingKeyPolicy.Rate;
import io.kairos.domain.task.RetryPolicy;
import io.kairos.domain.task.queue.TaskHandler;
import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.task.port.operator.StoredHandlerSettings;
import io.kairos.postgres.sql.SqlStatement;
import io.kairos.postgres.task.row.RetryPolicyColumns;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The settings of handlers: retry policy, policy of ordering keys, and admission quota. */
final class HandlerRows {
  private static final SqlStatement SETTINGS = SqlStatement.load("task/handler_settings.sql");
  private static final SqlStatement LOCK = SqlStatement.load("task/handler_lock.sql");
  private static final SqlStatement SET_RETRY = SqlStatement.load("task/handler_set_retry.sql");
  private static final SqlStatement SET = SqlStatement.load("task/handler_set.sql");

  private static final int UNBOUNDED = 0;
  private static final String PARK = "P";
  private static final String BLOCK = "B";

  private HandlerRows() {}

  /**
   * The result of a change.
   *
   * @param keyPolicy true when the policy of keys is another
   * @param quota true when the admission quota is another; then the present tasks must be counted,
   *     in another transaction, because every transaction that stores tasks of the handler waits
   *     for this one
   * @param after all settings of the handler, after the change
   */
  record Changed(boolean keyPolicy, boolean quota, StoredHandlerSettings after) {}

  static StoredHandlerSettings settings(Connection connection, TaskHandler handler) {
    return SETTINGS
        .on(connection)
        .with("handler", handler.wireName())
        .optional(HandlerRows::settings)
        .orElse(new StoredHandlerSettings(RetryPolicy.DEFAULT, null, OrderingKeyPolicy.DEFAULT));
  }

  private static StoredHandlerSettings settings(ResultSet row) throws SQLException {
    return new StoredHandlerSettings(
        RetryPolicyColumns.read(row, 1), (Long) row.getObject(10), keyPolicy(row, 5));
  }

  /** Changes the settings of a handler. Needs a transaction; changes of one handler take turns. */
  static Changed change(
      Connection connection, TaskHandler handler, UnaryOperator<StoredHandlerSettings> change) {
    StoredHandlerSettings before =
        LOCK.on(connection).with("handler", handler.wireName()).one(HandlerRows::settings);
    StoredHandlerSettings after = change.apply(before);
    if (!after.retryPolicy().equals(before.retryPolicy())) {
      set(connection, handler, after.retryPolicy());
    }
    boolean keyPolicy = !after.keyPolicy().equals(before.keyPolicy());
    boolean quota = !Objects.equals(after.maxUnfinished(), before.maxUnfinished());
    if (keyPolicy || quota) {
      set(connection, handler, after);
    }
    return new Changed(keyPolicy, quota, after);
  }

  /**
   * @param first the number of the first of five columns, which are null for a handler without a
   *     row
   */
  static OrderingKeyPolicy keyPolicy(ResultSet row, int first) throws SQLException {
    boolean ordered = row.getBoolean(first);
    if (row.wasNull()) {
      return OrderingKeyPolicy.DEFAULT;
    }
    int maxRunning = row.getInt(first + 1);
    Mode parallel = new Parallel(row.wasNull() ? Integer.MAX_VALUE : maxRunning);
    OnDead onDead = BLOCK.equals(row.getString(first + 4)) ? OnDead.BLOCK : OnDead.PARK;
    return new OrderingKeyPolicy(ordered ? new Ordered(onDead) : parallel, rate(row, first + 2));
  }

  private static @Nullable Rate rate(ResultSet row, int first) throws SQLException {
    double perSecond = row.getDouble(first);
    return row.wasNull() ? null : new Rate(perSecond, row.getInt(first + 1));
  }

  private static void set(Connection connection, TaskHandler handler, RetryPolicy policy) {
    SET_RETRY
        .on(connection)
        .with("handler", handler.wireName())
        .with("max_attempts", policy.maxAttempts())
        .with("initial", EpochMicros.lengthOf(policy.initial()))
        .with("factor", policy.factor())
        .with("max", EpochMicros.lengthOf(policy.max()))
        .update();
  }

  private static void set(
      Connection connection, TaskHandler handler, StoredHandlerSettings settings) {
    OrderingKeyPolicy keys = settings.keyPolicy();
    Rate rate = keys.rate();
    SET.on(connection)
        .with("handler", handler.wireName())
        .with("ordered", keys.mode() instanceof Ordered)
        .with("max_running", maxRunning(keys.mode()))
        .with("rate", rate == null ? UNBOUNDED : rate.perSecond())
        .with("burst", rate == null ? UNBOUNDED : rate.burst())
        .with("on_dead", onDead(keys.mode()))
        .with("max_unfinished", settings.maxUnfinished())
        .update();
  }

  private static int maxRunning(Mode mode) {
    return switch (mode) {
      case Ordered _ -> UNBOUNDED;
      case Parallel(int most) -> most == Integer.MAX_VALUE ? UNBOUNDED : most;
    };
  }

  private static String onDead(Mode mode) {
    return mode instanceof Ordered(OnDead onDead) && onDead == OnDead.BLOCK ? BLOCK : PARK;
  }
}
