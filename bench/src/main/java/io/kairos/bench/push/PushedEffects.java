package io.kairos.bench.push;

import io.kairos.bench.load.LoadPayload;
import io.kairos.bench.measure.BenchSql;
import io.kairos.bench.observe.ArrivalLedger;
import io.kairos.client.push.Push;
import io.kairos.client.push.StoredExecutions;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * Effects of pushed tasks in an application's database: a row for each effect, and one for each
 * suppressed repeat.
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
    BenchSql.update(connection, CREATE);
  }

  /**
   * Has the effect, or says that it was to be had again; in the caller's transaction.
   *
   * @param keptAway it is a repeat that is to come to nothing
   */
  static void write(Connection connection, Push push, boolean keptAway) throws SQLException {
    BenchSql.update(
        connection,
        INSERT,
        LoadPayload.run(push.body()),
        LoadPayload.sequence(push.body()),
        push.executionId(),
        keptAway);
  }

  /**
   * Counts of a load beside its effects.
   *
   * @param keptAway repeats that came to nothing
   * @param executions ids under which tasks came, of which each is to have one
   */
  public record Count(long keptAway, long executions, long tasks) {}

  /** Enters each effect of a load into a ledger. */
  public static Count read(Connection connection, long run, ArrivalLedger effects)
      throws SQLException {
    BenchSql.each(connection, row -> effects.arrived(row.getLong(1), 0, 0, true), EFFECTS, run);
    return BenchSql.one(
        connection, row -> new Count(row.getLong(1), row.getLong(2), row.getLong(3)), COUNT, run);
  }
}
