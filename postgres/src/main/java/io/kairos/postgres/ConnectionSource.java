package io.kairos.postgres;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * Opens connections to the primary among the servers of {@code postgres.url}. Called by the threads
 * of the connection pools, and at opening.
 */
final class ConnectionSource extends PGSimpleDataSource {
  private static final long serialVersionUID = 1L;

  /**
   * The longest wait of a migration for a lock, during which others wait behind it: shorter than a
   * node's lapse.
   */
  private static final Duration MIGRATION_LOCK_TIMEOUT = Duration.ofSeconds(1);

  private final transient List<ServerSource> servers = new ArrayList<>();
  private final transient ServerTimelines timelines;

  private ConnectionSource(
      PostgresConfig config, ServerSource.Timeouts timeouts, ServerTimelines timelines) {
    this.timelines = timelines;
    setUrl(config.jdbcUrl());
    for (int i = 0; i < getServerNames().length; i++) {
      servers.add(
          new ServerSource(config, timeouts, timelines, getServerNames()[i], getPortNumbers()[i]));
    }
  }

  static ConnectionSource forStatements(PostgresConfig config, ServerTimelines timelines) {
    return new ConnectionSource(
        config, new ServerSource.Timeouts(config.statementTimeout(), Duration.ZERO), timelines);
  }

  /**
   * Makes connections without a limit on a statement's time, because changing a large table may
   * take long, and with one on its wait for a lock.
   */
  static ConnectionSource forMigrations(PostgresConfig config, ServerTimelines timelines) {
    return new ConnectionSource(
        config, new ServerSource.Timeouts(Duration.ZERO, MIGRATION_LOCK_TIMEOUT), timelines);
  }

  /** Makes connections that wait for their turn to migrate, however long another one takes. */
  static ConnectionSource forTurns(PostgresConfig config, ServerTimelines timelines) {
    return new ConnectionSource(
        config, new ServerSource.Timeouts(Duration.ZERO, Duration.ZERO), timelines);
  }

  @Override
  public Connection getConnection(@Nullable String user, @Nullable String password)
      throws SQLException {
    return servers.size() == 1
        ? servers.getFirst().open().connection()
        : new PrimarySearch(servers).connect(!timelines.isKnown());
  }
}
