package io.kairos.postgres;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.kairos.engine.delay.port.AmendmentStore;
import io.kairos.engine.delay.port.MessageStore;
import io.kairos.engine.node.LivenessStore;
import io.kairos.engine.pool.port.PoolStore;
import io.kairos.engine.schedule.port.ScheduleStore;
import io.kairos.engine.task.port.DueNotifier;
import io.kairos.engine.task.port.TaskStore;
import io.kairos.postgres.delay.PostgresAmendmentStore;
import io.kairos.postgres.delay.PostgresMessageStore;
import io.kairos.postgres.node.PostgresLivenessStore;
import io.kairos.postgres.pool.PostgresPoolStore;
import io.kairos.postgres.schedule.PostgresScheduleStore;
import io.kairos.postgres.sql.FailureText;
import io.kairos.postgres.sql.SqlDatabase;
import io.kairos.postgres.task.PostgresTaskStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import javax.sql.DataSource;

/**
 * The stores on one Postgres database. Opened and closed by wiring; the stores are thread-safe.
 * Liveness has a connection of its own, so that a burst of other statements cannot make a live node
 * look dead. Calls of applications and operators share a few connections, so that no burst of calls
 * delays heartbeats. The notifier has one connection, which is opened when a caller first listens.
 */
public final class PostgresStores implements AutoCloseable {
  /**
   * The most connections for calls, whose statements are short or bounded. One is kept open, the
   * others are opened when needed.
   */
  private static final int CONNECTIONS_FOR_CALLS = 4;

  private final SqlDatabase shared;
  private final SqlDatabase forCalls;
  private final SqlDatabase forLiveness;
  private final PostgresMessageStore messages;
  private final AmendmentStore amendments;
  private final LivenessStore liveness;
  private final TaskStore tasks;
  private final ScheduleStore schedules;
  private final PoolStore pools;
  private final PostgresNotifier bell;

  private PostgresStores(
      SqlDatabase shared, SqlDatabase forCalls, SqlDatabase forLiveness, DataSource forListening) {
    this.shared = shared;
    this.forCalls = forCalls;
    this.forLiveness = forLiveness;
    messages = new PostgresMessageStore(shared, forCalls);
    amendments = new PostgresAmendmentStore(shared, forCalls);
    liveness = new PostgresLivenessStore(forLiveness, shared);
    tasks = new PostgresTaskStore(shared, forCalls);
    schedules = new PostgresScheduleStore(shared, forCalls);
    pools = new PostgresPoolStore(shared, forCalls);
    bell = new PostgresNotifier(forListening, shared);
  }

  /**
   * Checks the database, brings its schema up to date and opens the pools.
   *
   * @throws UnsafeStoreException when the database may lose what it acknowledges, or has the schema
   *     of another build
   * @throws io.kairos.engine.delay.port.StoreUnavailable when it does not answer
   */
  public static PostgresStores open(PostgresConfig config) {
    check(config);
    SchemaMigrations.run(ConnectionSource.forMigrations(config));
    SqlDatabase shared =
        new SqlDatabase(pool("kairos", config, config.poolSize(), config.poolSize()));
    return new PostgresStores(
        shared,
        new SqlDatabase(pool("kairos-calls", config, CONNECTIONS_FOR_CALLS, 1)),
        new SqlDatabase(pool("kairos-liveness", config, 1, 1)),
        ConnectionSource.forStatements(config));
  }

  private static void check(PostgresConfig config) {
    try (Connection connection = ConnectionSource.forStatements(config).getConnection()) {
      connection.clearWarnings();
    } catch (SQLException e) {
      if (e.getCause() instanceof UnsafeStoreException unsafe) {
        throw unsafe;
      }
      throw FailureText.unavailable("opening the store", e);
    }
  }

  private static HikariDataSource pool(String name, PostgresConfig config, int size, int idle) {
    HikariConfig pool = new HikariConfig();
    pool.setPoolName(name);
    pool.setDataSource(ConnectionSource.forStatements(config));
    pool.setMaximumPoolSize(size);
    pool.setMinimumIdle(idle);
    pool.setConnectionTimeout(config.connectTimeout().toMillis());
    pool.setValidationTimeout(config.connectTimeout().toMillis());
    pool.setInitializationFailTimeout(
        -1); // the check has just been made; from now on the pool retries
    return new HikariDataSource(pool);
  }

  public MessageStore messages() {
    return messages;
  }

  /**
   * Returns every route that was ever served here, with the number of its messages, counted to
   * 10,001.
   */
  public Map<String, Integer> pendingByRoute() {
    return messages.pendingByRoute();
  }

  public AmendmentStore amendments() {
    return amendments;
  }

  public LivenessStore liveness() {
    return liveness;
  }

  public TaskStore tasks() {
    return tasks;
  }

  public ScheduleStore schedules() {
    return schedules;
  }

  public PoolStore pools() {
    return pools;
  }

  /** Returns the notifier of all nodes on this database. */
  public DueNotifier bell() {
    return bell;
  }

  /** Closes the connections. Calls that are under way fail as unavailable. Idempotent. */
  @Override
  public void close() {
    bell.close();
    shared.close();
    forCalls.close();
    forLiveness.close();
  }
}
