package io.kairos.bench.push;

import io.kairos.bench.load.LoadPayload;
import io.kairos.bench.observe.ArrivalLedger;
import io.kairos.client.push.Push;
import io.kairos.client.push.StoredExecutions;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * Effects of what was pushed, in an application's database: a row for each, and one for each repeat
 * that came to nothing.
 */
public final class PushedEffects {
  private static final String CREATE =
      "create table bench_pushed (run bigint not null, sequence bigint not null, execution text not"
          + " null, kept_away boolean not null)";

  private static final String INSERT =
      "insert into bench_pushed (run, sequence, execution, kept_away) values (?, ?, ?, ?)";

  private static final String EFFECTS =
      "select sequence from bench_pushed where run = ? and not kept_away";

  private static final String COUNT =
      """
      select count(*) filter (where kept_away), count(distinct execution), count(distinct sequence)
      from bench_pushed where run = ?
      """;

  private PushedEffects() {}

  /** Creates what receivers write to. */
  public static void create(Connection connection) throws SQLException {
    StoredExecutions.createTable(connection);
    try (Statement statement = connection.createStatement()) {
      statement.execute(CREATE);
    }
  }

  /**
   * Has the effect, or says that it was to be had again; in the caller's transaction.
   *
   * @param keptAway it is a repeat that is to come to nothing
   */
  static void write(Connection connection, Push push, boolean keptAway) throws SQLException {
    try (PreparedStatement insert = connection.prepareStatement(INSERT)) {
      insert.setLong(1, LoadPayload.run(push.body()));
      insert.setLong(2, LoadPayload.sequence(push.body()));
      insert.setString(3, push.executionId());
      insert.setBoolean(4, keptAway);
      insert.executeUpdate();
    }
  }

  /**
   * What became of a load beside its effects.
   *
   * @param keptAway repeats that came to nothing
   * @param executions ids under which tasks came, of which each is to have one
   */
  public record Count(long keptAway, long executions, long tasks) {}

  /** Enters each effect of a load into a ledger. */
  public static Count read(Connection connection, long run, ArrivalLedger effects)
      throws SQLException {
    try (PreparedStatement all = connection.prepareStatement(EFFECTS);
        PreparedStatement count = connection.prepareStatement(COUNT)) {
      all.setLong(1, run);
      try (ResultSet row = all.executeQuery()) {
        while (row.next()) {
          effects.arrived(row.getLong(1), 0, 0, true);
        }
      }
      count.setLong(1, run);
      try (ResultSet row = count.executeQuery()) {
        row.next();
        return new Count(row.getLong(1), row.getLong(2), row.getLong(3));
      }
    }
  }
}
