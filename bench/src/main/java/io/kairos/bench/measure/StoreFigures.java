package io.kairos.bench.measure;

import static java.util.Objects.requireNonNull;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What Postgres says of itself at one moment; two of them give what a run cost. The table is the
 * delay queue's.
 *
 * @param walBytes position in the write-ahead log
 * @param checkpoints completed, whatever for
 * @param walSyncs how often the log was flushed
 */
public record StoreFigures(
    long walBytes,
    long walRecords,
    long walFullPageImages,
    long walSyncs,
    long checkpoints,
    long autovacuums,
    long autoanalyzes,
    long tableBytes,
    long indexBytes,
    long liveRows,
    long deadRows,
    long commits) {
  /** What changes a figure: shown with every run. */
  private static final String SETTINGS =
      "select name, current_setting(name) from pg_settings where name in ('fsync', 'synchronous_commit',"
          + " 'full_page_writes', 'wal_level', 'shared_buffers', 'wal_buffers', 'max_wal_size',"
          + " 'checkpoint_timeout', 'autovacuum_naptime', 'commit_delay', 'wal_compression', 'jit')"
          + " order by name";

  private static final String FIGURES =
      "select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::bigint, w.wal_records, w.wal_fpi,"
          + " (select coalesce(sum(fsyncs), 0) from pg_stat_io where object = 'wal'),"
          + " c.num_done, coalesce(t.autovacuum_count, 0), coalesce(t.autoanalyze_count, 0),"
          + " coalesce(pg_table_size(t.relid), 0), coalesce(pg_indexes_size(t.relid), 0),"
          + " coalesce(t.n_live_tup, 0), coalesce(t.n_dead_tup, 0),"
          + " (select xact_commit from pg_stat_database where datname = current_database())"
          + " from pg_stat_wal w, pg_stat_checkpointer c"
          + " left join pg_stat_user_tables t on t.relname = ?";

  /** Reads them, with those of one table. */
  public static StoreFigures read(Connection connection, String table) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(FIGURES)) {
      statement.setString(1, table);
      return read(statement);
    }
  }

  private static StoreFigures read(PreparedStatement statement) throws SQLException {
    try (ResultSet row = statement.executeQuery()) {
      row.next();
      return new StoreFigures(
          row.getLong(1),
          row.getLong(2),
          row.getLong(3),
          row.getLong(4),
          row.getLong(5),
          row.getLong(6),
          row.getLong(7),
          row.getLong(8),
          row.getLong(9),
          row.getLong(10),
          row.getLong(11),
          row.getLong(12));
    }
  }

  /** Version and the settings that matter, by name. */
  public static Map<String, String> settings(Connection connection) throws SQLException {
    Map<String, String> settings = new LinkedHashMap<>();
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(SETTINGS)) {
      while (row.next()) {
        settings.put(requireNonNull(row.getString(1)), requireNonNull(row.getString(2)));
      }
    }
    return settings;
  }

  public long totalBytes() {
    return tableBytes + indexBytes;
  }
}
