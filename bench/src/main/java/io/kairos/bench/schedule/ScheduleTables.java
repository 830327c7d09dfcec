package io.kairos.bench.schedule;

import static java.util.Objects.requireNonNull;

import io.kairos.bench.load.BenchWait;
import io.kairos.bench.measure.BenchSql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/** Reads the state of schedules and their runs from Postgres, without Kairos. */
public final class ScheduleTables {
  /** Interval between two looks at the store, which is also the error of a figure. */
  static final Duration LOOK_EVERY = Duration.ofMillis(10);

  /** Longer than the lease and the first backoff of a failed attempt. */
  private static final Duration QUIET = Duration.ofSeconds(40);

  private static final String ALL_DECIDED =
      "select not exists (select from schedule where next_at <= ?)";

  private static final String NONE_UNFINISHED =
      "select not exists (select from task where schedule_id is not null)";

  private static final String LEDGER =
      """
      select substring(s.name from '[0-9]+$')::bigint, f.fire_at, f.until, f.decision = 'FIRED', f.decided_at,
        f.run is not null
          and (exists (select from task t where t.id = f.run)
            or exists (select from finished_task h where h.id = f.run))
      from schedule_fire f
      join schedule s on s.id = f.schedule_id
      where f.fire_at >= ? and f.fire_at <= ?
      """;

  private static final String IDS =
      "select substring(name from '[0-9]+$')::integer, id::text from schedule";

  private static final String SETTLE = "vacuum (analyze) schedule";

  private static final String PAUSE =
      "update schedule set status = 'PAUSED', next_at = null where status = 'ACTIVE'";

  private ScheduleTables() {}

  /**
   * True when no schedule waits for a decision on a fire time up to this one: the decisions and
   * their tasks are committed.
   */
  static boolean allDecided(Connection connection, long upToMicros) throws SQLException {
    return BenchSql.one(connection, row -> row.getBoolean(1), ALL_DECIDED, upToMicros);
  }

  /** True when every run has ended: its result is durable and acknowledged. */
  static boolean noneUnfinished(Connection connection) throws SQLException {
    return BenchSql.one(connection, row -> row.getBoolean(1), NONE_UNFINISHED);
  }

  /** Holds the ledger of the first rounds against the plan. */
  public static FireDecisions judge(
      Connection connection, FirePlan plan, int measuredFromRound, int rounds) throws SQLException {
    FireDecisions decisions = new FireDecisions(plan, measuredFromRound, rounds);
    BenchSql.each(
        connection,
        row ->
            decisions.add(
                new FireDecisions.Entry(
                    row.getLong(1),
                    row.getLong(2),
                    row.getLong(3),
                    row.getBoolean(4),
                    row.getLong(5),
                    row.getBoolean(6))),
        LEDGER,
        plan.atMicros(0),
        plan.atMicros(rounds - 1));
    return decisions;
  }

  /** The id of each schedule of a plan, by its sequence number. */
  static List<String> ids(Connection connection, FirePlan plan) throws SQLException {
    String[] ids = new String[plan.schedules()];
    BenchSql.each(connection, row -> ids[row.getInt(1)] = requireNonNull(row.getString(2)), IDS);
    return List.of(ids); // which refuses one that is missing
  }

  /**
   * Waits until everything that is due up to a moment is decided and has ended, and lets nothing
   * else fire. Tasks that have not ended in time are lost.
   */
  public static void awaitEnd(Connection connection, long upToMicros) throws SQLException {
    BenchWait.until(() -> allDecided(connection, upToMicros), QUIET, LOOK_EVERY);
    BenchSql.update(connection, PAUSE);
    BenchWait.until(() -> noneUnfinished(connection), QUIET, LOOK_EVERY);
  }

  /** Vacuums the table and makes a checkpoint, as after a long rest. */
  static void settle(Connection connection) throws SQLException {
    BenchSql.update(connection, SETTLE);
    BenchSql.update(connection, "checkpoint");
  }
}
