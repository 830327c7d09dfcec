package io.kairos.bench.schedule;

import static java.util.Objects.requireNonNull;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/** What the store says of schedules and their runs, asked of Postgres and not of Kairos. */
public final class ScheduleTables {
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
   * Whether no schedule waits for a decision on a fire time up to this one: whatever was due is
   * committed, its tasks with it.
   */
  public static boolean allDecided(Connection connection, long upToMicros) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(ALL_DECIDED)) {
      statement.setLong(1, upToMicros);
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        return row.getBoolean(1);
      }
    }
  }

  /** Whether every run has ended: its result is durable and acknowledged. */
  public static boolean noneUnfinished(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(NONE_UNFINISHED)) {
      row.next();
      return row.getBoolean(1);
    }
  }

  /** Holds the ledger of the first rounds against the plan. */
  public static FireDecisions judge(
      Connection connection, FirePlan plan, int measuredFromRound, int rounds) throws SQLException {
    FireDecisions decisions = new FireDecisions(plan, measuredFromRound, rounds);
    try (PreparedStatement statement = connection.prepareStatement(LEDGER)) {
      statement.setLong(1, plan.atMicros(0));
      statement.setLong(2, plan.atMicros(rounds - 1));
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          decisions.add(
              new FireDecisions.Entry(
                  row.getLong(1),
                  row.getLong(2),
                  row.getLong(3),
                  row.getBoolean(4),
                  row.getLong(5),
                  row.getBoolean(6)));
        }
      }
    }
    return decisions;
  }

  /** The id of each schedule of a plan, by its sequence number. */
  static List<String> ids(Connection connection, FirePlan plan) throws SQLException {
    String[] ids = new String[plan.schedules()];
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(IDS)) {
      while (row.next()) {
        ids[row.getInt(1)] = requireNonNull(row.getString(2));
      }
    }
    return List.of(ids); // which refuses one that is missing
  }

  /** As it is when it has been so for some time. */
  static void settle(Connection connection) throws SQLException {
    execute(connection, SETTLE);
    execute(connection, "checkpoint");
  }

  /** Nothing fires any more; waits for what is being decided. */
  public static void pauseAll(Connection connection) throws SQLException {
    execute(connection, PAUSE);
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
