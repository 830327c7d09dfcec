package io.kairos.bench.effect;

import io.kairos.bench.measure.BenchSql;
import io.kairos.client.handler.FencedWrites;
import io.kairos.client.handler.StaleFenceException;
import io.kairos.client.handler.TaskContext;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * Effects in an application's database, each behind the client's fence helper. The number of a row
 * is given while the guard is held, so rows of one task are numbered as they took place.
 */
public final class FencedTable {
  private static final String CREATE =
      "create table bench_effect (n bigserial primary key, task uuid not null, fence bigint not null)";

  private static final String INSERT = "insert into bench_effect (task, fence) values (?, ?)";

  private static final String STALE =
      """
      select count(*), count(*) filter (where fence < highest)
      from (select fence, max(fence) over (partition by task order by n) as highest from bench_effect) e
      """;

  private FencedTable() {}

  /** Creates what the handlers write to. */
  public static void create(Connection connection) throws SQLException {
    FencedWrites.createTable(connection);
    BenchSql.update(connection, CREATE);
  }

  /** Has an effect, unless the fence is old. */
  static void write(Connection connection, TaskContext context) throws SQLException {
    try {
      FencedWrites.guard(connection, context);
      BenchSql.update(connection, INSERT, context.taskId().value(), context.fence());
      connection.commit();
    } catch (StaleFenceException e) {
      connection.rollback();
    }
  }

  /**
   * Counts of the effects.
   *
   * @param overlapping effects of an attempt after the first of a later one
   */
  public record Count(long effects, long overlapping) {}

  public static Count count(Connection connection) throws SQLException {
    return BenchSql.one(connection, row -> new Count(row.getLong(1), row.getLong(2)), STALE);
  }
}
