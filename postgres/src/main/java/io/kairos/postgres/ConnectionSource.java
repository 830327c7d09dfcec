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

  private final transient List<ServerSource> servers = new ArrayList<>();
  private final transient ServerTimelines timelines;

  private ConnectionSource(
      PostgresConfig config, Duration statementTimeout, ServerTimelines timelines) {
    this.timelines = timelines;
    setUrl(config.jdbcUrl());
    for (int i = 0; i < getServerNames().length; i++) {
      servers.add(
          new ServerSource(
              config, statementTimeout, timelines, getServerNames()[i], getPortNumbers()[i]));
    }
  }

  static ConnectionSource forStatements(PostgresConfig config, ServerTimelines timelines) {
    return new ConnectionSource(config, config.statementTimeout(), timelines);
  }

  /**
   * Makes connections without a limit on a statement's time: building an index over a large table
   * takes long.
   */
  static ConnectionSource forMigrations(PostgresConfig config, ServerTimelines timelines) {
    return new ConnectionSource(config, Duration.ZERO, timelines);
  }

  @Override
  public Connection getConnection(@Nullable String user, @Nullable String password)
      throws SQLException {
    return servers.size() == 1
        ? servers.getFirst().open().connection()
        : new PrimarySearch(servers).connect(!timelines.isKnown());
  }
}
