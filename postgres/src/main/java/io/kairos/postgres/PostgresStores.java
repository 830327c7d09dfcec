package io.kairos.postgres;

import io.kairos.engine.audit.AuditStore;
import io.kairos.engine.cluster.ClusterStore;
import io.kairos.engine.delay.port.AmendmentStore;
import io.kairos.engine.node.LivenessStore;
import io.kairos.engine.node.StoreCallTimer;
import io.kairos.engine.pool.port.PoolStore;
import io.kairos.engine.pool.secret.SecretKeys;
import io.kairos.engine.schedule.port.ScheduleStore;
import io.kairos.engine.task.port.DueNotifier;
import io.kairos.engine.task.port.TaskStore;
import io.kairos.engine.worker.WorkerStore;
import io.kairos.postgres.audit.PostgresAuditStore;
import io.kairos.postgres.cluster.PostgresClusterStore;
import io.kairos.postgres.cluster.PostgresWorkerStore;
import io.kairos.postgres.delay.PostgresAmendmentStore;
import io.kairos.postgres.delay.PostgresMessageStore;
import io.kairos.postgres.delay.RouteBacklog;
import io.kairos.postgres.delay.RouteTopics;
import io.kairos.postgres.node.PostgresLivenessStore;
import io.kairos.postgres.pool.PostgresPoolStore;
import io.kairos.postgres.schedule.PostgresScheduleStore;
import io.kairos.postgres.sql.Connections;
import io.kairos.postgres.sql.FailureText;
import io.kairos.postgres.sql.SqlDatabase;
import io.kairos.postgres.task.PostgresTaskStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The stores on one Postgres database. Opened and closed by wiring; the stores are thread-safe.
 * Liveness has a connection of its own, so that a burst of other statements cannot make a live node
 * look dead. Calls of applications and operators share a few connections, so that no burst of calls
 * delays heartbeats. The notifier has one connection, which is opened when a caller first listens.
 *
 * @param notifier the notifier of all nodes on this database
 * @param closings close the connections, in this order
 */
public record PostgresStores(
    PostgresMessageStore messages,
    AmendmentStore amendments,
    LivenessStore liveness,
    TaskStore tasks,
    ScheduleStore schedules,
    PoolStore pools,
    AuditStore audit,
    ClusterStore cluster,
    WorkerStore workers,
    DueNotifier notifier,
    List<Runnable> closings)
    implements AutoCloseable {
  /**
   * The most connections for calls, whose statements are short or bounded. One is kept open, the
   * others are opened when needed.
   */
  private static final int CONNECTIONS_FOR_CALLS = 4;

  /** Opens stores that keep secrets of pools as they are. */
  public static PostgresStores open(PostgresConfig config) {
    return open(config, StoreCallTimer.NONE, () -> SecretKeys.NONE);
  }

  /**
   * Checks the database, brings its schema up to date, unless others do, and opens the pools.
   *
   * @param timer times all calls, but for those before the stores are open
   * @param keys the keys at any time, by which secrets of pools are encrypted
   * @throws UnsafeStoreException when the database may lose what it acknowledges, has the schema of
   *     another build, would get one that nodes that run do not know, has an older one that this
   *     node may not migrate, or is reached by a pooler without sessions
   * @throws io.kairos.engine.node.StoreUnavailable when it does not answer, or a transaction holds
   *     what a migration changes
   */
  public static PostgresStores open(
      PostgresConfig config, StoreCallTimer timer, Supplier<SecretKeys> keys) {
    ServerTimelines timelines = new ServerTimelines();
    SessionPooling.check(config);
    ConnectionSource source = ConnectionSource.forStatements(config, timelines);
    check(source);
    int schema =
        config.schema().isMigratedByNodes()
            ? migrate(config, timelines, false)
            : SchemaMigrations.require(source, SchemaMigrations.FOLDER);
    SchemaWarnings.log(source);
    return of(
        new SqlDatabase(
            HikariPool.of("kairos", config, source, config.poolSize(), config.poolSize()), timer),
        new SqlDatabase(
            HikariPool.of("kairos-calls", config, source, CONNECTIONS_FOR_CALLS, 1), timer),
        new SqlDatabase(HikariPool.of("kairos-liveness", config, source, 1, 1), timer),
        new DirectConnections(source),
        schema,
        keys);
  }

  /**
   * Opens stores on connections of an application's own data source, which are kept until the
   * stores are closed: one for liveness, one that listens, the others for everything else.
   *
   * @throws UnsafeStoreException as {@link #open} does, and when the data source does not give as
   *     many connections
   * @throws io.kairos.engine.node.StoreUnavailable as {@link #open} does
   */
  public static PostgresStores within(ApplicationDatabase application) {
    HeldConnections.check(application);
    ServerTimelines timelines = new ServerTimelines();
    int schema = ScriptMigrations.bring(application);
    HeldConnections work = new HeldConnections(application, application.working(), timelines);
    HeldConnections liveness = new HeldConnections(application, 1, timelines);
    HeldConnections listening = new HeldConnections(application, 1, timelines);
    boolean opened = false;
    try {
      HeldConnections.fill(application, List.of(liveness, listening, work));
      SqlDatabase shared = new SqlDatabase(work, StoreCallTimer.NONE);
      SqlDatabase forLiveness = new SqlDatabase(liveness, StoreCallTimer.NONE);
      SqlDatabase forCalls =
          new SqlDatabase(new ConnectionShare(work, application.forCallers()), StoreCallTimer.NONE);
      PostgresStores stores =
          of(shared, forCalls, forLiveness, listening, schema, () -> SecretKeys.NONE);
      opened = true;
      return stores;
    } finally {
      if (!opened) {
        List.of(liveness, listening, work).forEach(HeldConnections::close);
      }
    }
  }

  private static PostgresStores of(
      SqlDatabase shared,
      SqlDatabase forCalls,
      SqlDatabase forLiveness,
      Connections listening,
      int schema,
      Supplier<SecretKeys> keys) {
    PostgresNotifier notifier = new PostgresNotifier(listening, shared);
    return new PostgresStores(
        new PostgresMessageStore(shared, forCalls),
        new PostgresAmendmentStore(shared, forCalls),
        new PostgresLivenessStore(forLiveness, shared, schema),
        new PostgresTaskStore(shared, forCalls),
        new PostgresScheduleStore(shared, forCalls),
        new PostgresPoolStore(shared, forCalls, keys),
        new PostgresAuditStore(shared, forCalls),
        new PostgresClusterStore(shared, forCalls),
        new PostgresWorkerStore(shared, forCalls),
        notifier,
        List.of(
            notifier::close, listening::close, shared::close, forCalls::close, forLiveness::close));
  }

  /**
   * Brings the schema up to date; returns its number.
   *
   * @param second whether the database may have a second installation, in another schema
   */
  static int migrate(PostgresConfig config, ServerTimelines timelines, boolean second) {
    return SchemaMigrations.run(
        ConnectionSource.forTurns(config, timelines),
        ConnectionSource.forMigrations(config, timelines),
        second,
        SchemaMigrations.FOLDER);
  }

  /** Opens a connection, because the server behind it may not be fit to be the store. */
  private static void check(ConnectionSource source) {
    try (Connection _ = source.getConnection()) {
      // Opening it was the check.
    } catch (SQLException e) {
      if (e.getCause() instanceof UnsafeStoreException unsafe) {
        throw unsafe;
      }
      throw FailureText.unavailable("opening the store", e);
    }
  }

  /** Returns every route that was ever served here, with its messages. */
  public Map<String, RouteBacklog> backlogByRoute() {
    return messages.backlogByRoute();
  }

  /** States the topics that this node serves a route with, and returns those before. */
  public Optional<RouteTopics> stateTopics(String route, RouteTopics topics) {
    return messages.state(route, topics);
  }

  /** States to which topics transactions of applications may post messages by a route. */
  public void statePosts(String route, Collection<String> topics, boolean relaysId) {
    messages.statePosts(route, topics, relaysId);
  }

  /** The topics of every route, as the node that started last has stated them. */
  public Map<String, RouteTopics> statedTopics() {
    return messages.stated();
  }

  /** Closes the connections. Calls that are under way fail as unavailable. Idempotent. */
  @Override
  public void close() {
    closings.forEach(Runnable::run);
  }
}
