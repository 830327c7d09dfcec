package io.kairos.postgres;

import io.kairos.postgres.sql.SqlFailure;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * Opens connections to one server, with the settings that every statement expects: server-side
 * prepared statements, binary arrays, timeouts at both ends, no payload in error texts. A server
 * whose durability has been switched off in the meantime is treated as unavailable, and so are a
 * standby and a primary that was replaced. Any thread.
 */
final class ServerSource {
  private static final int NO_LIMIT = 0;

  /**
   * The database cancels a statement first; the limit of the socket is for a database that is gone.
   */
  private static final Duration SOCKET_GRACE = Duration.ofSeconds(2);

  private final PGSimpleDataSource driver = new PGSimpleDataSource();
  private final String server;
  private final boolean allowUnsafeDurability;
  private final String schema;
  private final Timeouts timeouts;
  private final ServerTimelines timelines;

  /** Limits on a statement's time and on its wait for a lock; zero for none. */
  record Timeouts(Duration statement, Duration lock) {}

  /** A connection that is fit to be used, and the timeline of its server. */
  record Opened(Connection connection, int timeline) {}

  ServerSource(
      PostgresConfig config, Timeouts timeouts, ServerTimelines timelines, String host, int port) {
    this.server = host + ":" + port;
    this.allowUnsafeDurability = config.allowUnsafeDurability();
    this.schema = config.schema().name();
    this.timeouts = timeouts;
    this.timelines = timelines;
    driver.setUrl(config.jdbcUrl());
    driver.setServerNames(new String[] {host});
    driver.setPortNumbers(new int[] {port});
    driver.setTargetServerType("any"); // judged here, with the timeline
    driver.setUser(config.user());
    driver.setPassword(config.password());
    driver.setApplicationName("kairos");
    driver.setConnectTimeout(seconds(config.connectTimeout()));
    driver.setLoginTimeout(seconds(config.connectTimeout()));
    driver.setSocketTimeout(
        timeouts.statement.isZero() ? NO_LIMIT : seconds(timeouts.statement.plus(SOCKET_GRACE)));
    driver.setTcpKeepAlive(true);
    driver.setPrepareThreshold(1);
    driver.setBinaryTransfer(true);
    driver.setBinaryTransferEnable("UUID_ARRAY");
    driver.setLogServerErrorDetail(false);
  }

  Opened open() throws SQLException {
    Connection connection = driver.getConnection();
    boolean ready = false;
    try {
      ServerState state = ServerSession.prepare(connection, server, schema, timeouts);
      timelines.admit(state, connection);
      state.safety().check(allowUnsafeDurability);
      ready = true;
      return new Opened(connection, state.timeline());
    } catch (UnsafeStoreException e) {
      throw new SQLException(e.getMessage(), ServerTimelines.NOT_IN_PREREQUISITE_STATE, e);
    } catch (SqlFailure e) {
      throw e.failure();
    } finally {
      if (!ready) {
        connection.close();
      }
    }
  }

  static int seconds(Duration duration) {
    return Math.toIntExact(duration.plusMillis(999).toSeconds());
  }

  @Override
  public String toString() {
    return server;
  }
}
