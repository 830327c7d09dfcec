package io.kairos.bench.measure;

import static java.util.Objects.requireNonNull;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;

/** Statistics of Postgres and of one table at one moment; two of them give the cost of a run. */
public record StoreFigures(Map<String, Long> byName) {

  /** Settings that change figures, shown with every run. */
  private static final String SETTINGS =
      "select name, current_setting(name) from pg_settings where name in ('fsync', 'synchronous_commit',"
          + " 'full_page_writes', 'wal_level', 'shared_buffers', 'wal_buffers', 'max_wal_size',"
          + " 'checkpoint_timeout', 'autovacuum_naptime', 'commit_delay', 'wal_compression', 'jit')"
          + " order by name";

  private static final String FIGURES =
      """
      select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::bigint wal_bytes,
        w.wal_fpi page_images,
        (select coalesce(sum(fsyncs), 0) from pg_stat_io where object = 'wal') wal_syncs,
        c.num_done checkpoints,
        coalesce(t.autovacuum_count, 0) autovacuums,
        coalesce(pg_total_relation_size(t.relid), 0) table_bytes,
        coalesce(t.n_dead_tup, 0) dead_rows,
        (select xact_commit from pg_stat_database where datname = current_database()) commits
      from pg_stat_wal w, pg_stat_checkpointer c
      left join pg_stat_user_tables t on t.relname = ?
      """;

  /** Reads them, with those of one table. */
  static StoreFigures read(Connection connection, String table) throws SQLException {
    return BenchSql.one(connection, StoreFigures::of, FIGURES, table);
  }

  private static StoreFigures of(ResultSet row) throws SQLException {
    Map<String, Long> byName = new LinkedHashMap<>();
    for (int column = 1; column <= row.getMetaData().getColumnCount(); column++) {
      byName.put(row.getMetaData().getColumnLabel(column), row.getLong(column));
    }
    return new StoreFigures(byName);
  }

  long get(String name) {
    return requireNonNull(byName.get(name));
  }

  /** The settings that matter, by name. */
  public static Map<String, String> settings(Connection connection) throws SQLException {
    Map<String, String> settings = new LinkedHashMap<>();
    BenchSql.each(
        connection,
        row -> settings.put(requireNonNull(row.getString(1)), requireNonNull(row.getString(2))),
        SETTINGS);
    return settings;
  }
}
