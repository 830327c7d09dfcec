package io.kairos.postgres.task;

import io.kairos.domain.task.KeyPolicy;
import io.kairos.domain.task.KeyPolicy.Mode;
import io.kairos.domain.task.KeyPolicy.OnDead;
import io.kairos.domain.task.KeyPolicy.Ordered;
import io.kairos.domain.task.KeyPolicy.Parallel;
import io.kairos.domain.task.KeyPolicy.Rate;
import io.kairos.domain.task.RetryPolicy;
import io.kairos.domain.task.TaskHandler;
import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.task.port.HandlerSettings;
import io.kairos.postgres.sql.Call;
import io.kairos.postgres.sql.Sql;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** What is set for handlers: policies of retries and of keys, and admission quotas. */
final class HandlerRows {
  private static final Sql SETTINGS = Sql.load(HandlerRows.class, "handler_settings.sql");
  private static final Sql LOCK = Sql.load(HandlerRows.class, "handler_lock.sql");
  private static final Sql SET_RETRY = Sql.load(HandlerRows.class, "handler_set_retry.sql");
  private static final Sql SET_KEYS = Sql.load(HandlerRows.class, "handler_set_keys.sql");

  private static final int UNBOUNDED = 0;
  private static final String PARK = "P";
  private static final String BLOCK = "B";

  private HandlerRows() {}

  /**
   * What was changed.
   *
   * @param after all that is set now
   */
  record Changed(boolean keyPolicy, boolean quota, HandlerSettings after) {}

  static HandlerSettings settings(Connection connection, TaskHandler handler) throws SQLException {
    try (Call call = SETTINGS.on(connection).with("handler", handler.wireName());
        ResultSet row = call.query()) {
      return row.next()
          ? settings(row)
          : new HandlerSettings(RetryPolicy.DEFAULT, null, KeyPolicy.DEFAULT);
    }
  }

  private static HandlerSettings settings(ResultSet row) throws SQLException {
    return new HandlerSettings(Policies.read(row, 1), (Long) row.getObject(10), keyPolicy(row, 5));
  }

  /** Needs a transaction; two that change the same handler take turns. */
  static Changed change(
      Connection connection, TaskHandler handler, UnaryOperator<HandlerSettings> change)
      throws SQLException {
    HandlerSettings before = lock(connection, handler);
    HandlerSettings after = change.apply(before);
    if (!after.retryPolicy().equals(before.retryPolicy())) {
      set(connection, handler, after.retryPolicy());
    }
    boolean keyPolicy = !after.keyPolicy().equals(before.keyPolicy());
    if (keyPolicy) {
      set(connection, handler, after.keyPolicy());
    }
    boolean quota = !Objects.equals(after.maxUnfinished(), before.maxUnfinished());
    if (quota) {
      Quotas.set(connection, handler, after.maxUnfinished());
    }
    return new Changed(keyPolicy, quota, after);
  }

  private static HandlerSettings lock(Connection connection, TaskHandler handler)
      throws SQLException {
    try (Call call = LOCK.on(connection).with("handler", handler.wireName());
        ResultSet row = call.query()) {
      row.next();
      return settings(row);
    }
  }

  /**
   * @param first of the five columns, which are null for a handler without a row
   */
  static KeyPolicy keyPolicy(ResultSet row, int first) throws SQLException {
    boolean ordered = row.getBoolean(first);
    if (row.wasNull()) {
      return KeyPolicy.DEFAULT;
    }
    int maxRunning = row.getInt(first + 1);
    Mode parallel = new Parallel(row.wasNull() ? Integer.MAX_VALUE : maxRunning);
    OnDead onDead = BLOCK.equals(row.getString(first + 4)) ? OnDead.BLOCK : OnDead.PARK;
    return new KeyPolicy(ordered ? new Ordered(onDead) : parallel, rate(row, first + 2));
  }

  private static @Nullable Rate rate(ResultSet row, int first) throws SQLException {
    double perSecond = row.getDouble(first);
    return row.wasNull() ? null : new Rate(perSecond, row.getInt(first + 1));
  }

  private static void set(Connection connection, TaskHandler handler, RetryPolicy policy)
      throws SQLException {
    try (Call call =
        SET_RETRY
            .on(connection)
            .with("handler", handler.wireName())
            .with("max_attempts", policy.maxAttempts())
            .with("initial", EpochMicros.lengthOf(policy.initial()))
            .with("factor", policy.factor())
            .with("max", EpochMicros.lengthOf(policy.max()))) {
      call.update();
    }
  }

  private static void set(Connection connection, TaskHandler handler, KeyPolicy policy)
      throws SQLException {
    Rate rate = policy.rate();
    try (Call call =
        SET_KEYS
            .on(connection)
            .with("handler", handler.wireName())
            .with("ordered", policy.mode() instanceof Ordered)
            .with("max_running", maxRunning(policy.mode()))
            .with("rate", rate == null ? UNBOUNDED : rate.perSecond())
            .with("burst", rate == null ? UNBOUNDED : rate.burst())
            .with("on_dead", onDead(policy.mode()))) {
      call.update();
    }
  }

  private static int maxRunning(Mode mode) {
    return switch (mode) {
      case Ordered _ -> UNBOUNDED;
      case Parallel(int most) -> most == Integer.MAX_VALUE ? UNBOUNDED : most;
    };
  }

  private static String onDead(Mode mode) {
    return switch (mode) {
      case Ordered(OnDead onDead) ->
          switch (onDead) {
            case PARK -> PARK;
            case BLOCK -> BLOCK;
          };
      case Parallel _ -> PARK;
    };
  }
}
