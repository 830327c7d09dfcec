package io.kairos.postgres;

import static java.util.Objects.requireNonNull;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.kairos.postgres.sql.Connections;
import io.kairos.postgres.sql.SqlFailure;
import io.kairos.postgres.sql.SqlStatement;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.postgresql.core.Oid;
import org.postgresql.jdbc.PgConnection;

/**
 * Connections of an application's data source that are kept, because their sessions have settings
 * of their own: at most as many as given. A broken one is given back and another is taken. At the
 * end each has the settings again with which it came. Thread-safe.
 */
final class HeldConnections implements Connections {
  private static final SqlStatement SETTINGS = SqlStatement.load("held_settings.sql");
  private static final SqlStatement RESTORE = SqlStatement.load("held_settings_restore.sql");

  private static final SqlStatement UNLISTEN = SqlStatement.load("unlisten.sql");

  /** The database cancels a statement first; the limit of the socket is for one that is gone. */
  private static final Duration SOCKET_GRACE = Duration.ofSeconds(2);

  /** The types of {@link io.kairos.postgres.sql.BinaryArray}. */
  private static final List<Integer> ARRAYS =
      List.of(
          Oid.TEXT_ARRAY,
          Oid.BYTEA_ARRAY,
          Oid.INT4_ARRAY,
          Oid.INT8_ARRAY,
          Oid.FLOAT8_ARRAY,
          Oid.UUID_ARRAY);

  private final ApplicationDatabase application;
  private final ServerTimelines timelines;
  private final Semaphore permits;

  @GuardedBy("this")
  private final Deque<Held> idle = new ArrayDeque<>();

  @GuardedBy("this")
  private final IdentityHashMap<Connection, Held> taken = new IdentityHashMap<>();

  @GuardedBy("this")
  private boolean closed;

  /** A connection, and what it was when it came. */
  private record Held(
      Connection connection,
      boolean committed,
      int networkTimeout,
      int threshold,
      List<Integer> sentAsText,
      String settings) {}

  HeldConnections(ApplicationDatabase application, int most, ServerTimelines timelines) {
    this.application = application;
    this.timelines = timelines;
    this.permits = new Semaphore(most);
  }

  /**
   * Takes all connections now, so that a pool with too few is found at the start.
   *
   * @throws UnsafeStoreException when the data source does not give as many
   */
  static void fill(ApplicationDatabase application, List<HeldConnections> all) {
    int given = 0;
    for (HeldConnections each : all) {
      List<Connection> borrowed = new ArrayList<>();
      try {
        while (each.permits.availablePermits() > 0) {
          borrowed.add(each.borrow());
          given++;
        }
        for (Connection one : borrowed) {
          each.giveBack(one);
        }
      } catch (SQLException e) {
        if (e.getCause() instanceof UnsafeStoreException unsafe) {
          throw unsafe;
        }
        throw new UnsafeStoreException(
            "the data source has given %d connections, and Kairos keeps %d (one for liveness, one that listens, the others for work): enlarge its pool by as many, or have Kairos take fewer by connections(...); the data source says: %s"
                .formatted(given, application.connections(), e.getMessage()));
      }
    }
  }

  @Override
  public Connection borrow() throws SQLException {
    boolean permitted;
    try {
      permitted =
          permits.tryAcquire(application.connectTimeout().toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new SQLTransientConnectionException("interrupted while waiting for a connection", e);
    }
    if (!permitted) {
      throw new SQLTransientConnectionException(
          "all connections that Kairos may take have been in use for "
              + application.connectTimeout().toMillis()
              + " ms");
    }
    boolean given = false;
    try {
      Held held;
      synchronized (this) {
        if (closed) {
          throw new SQLTransientConnectionException("Kairos is closed");
        }
        held = idle.pollFirst();
      }
      if (held == null) {
        held = open();
      }
      synchronized (this) {
        taken.put(held.connection, held);
      }
      given = true;
      return held.connection;
    } finally {
      if (!given) {
        permits.release();
      }
    }
  }

  @Override
  public void giveBack(Connection connection) throws SQLException {
    Held held;
    synchronized (this) {
      held = requireNonNull(taken.remove(connection), "not a connection of this object");
    }
    boolean isFit = false;
    try {
      if (!connection.isClosed()) {
        if (!connection.getAutoCommit()) {
          connection.rollback();
          connection.setAutoCommit(true);
        }
        isFit = true;
      }
    } catch (SQLException e) {
      // another one is taken in its place; the failure of the statement has been told
    } finally {
      boolean kept = false;
      synchronized (this) {
        if (isFit && !closed) {
          idle.addFirst(held);
          kept = true;
        }
      }
      if (!kept) {
        giveUp(held, isFit);
      }
      permits.release();
    }
  }

  @SuppressWarnings("MustBeClosed") // kept until it breaks or Kairos is closed
  private Held open() throws SQLException {
    Connection connection = application.source().getConnection();
    boolean ready = false;
    try {
      if (!connection.isWrapperFor(PgConnection.class)) {
        throw refused(
            "the data source gives connections of %s, and Kairos needs those of the Postgres driver (org.postgresql), or such as can be unwrapped to them"
                .formatted(connection.getClass().getName()));
      }
      PgConnection driver = connection.unwrap(PgConnection.class);
      boolean committed = connection.getAutoCommit();
      if (!committed) {
        connection.rollback();
        connection.setAutoCommit(true);
      }
      Held held =
          new Held(
              connection,
              committed,
              connection.getNetworkTimeout(),
              driver.getPrepareThreshold(),
              ARRAYS.stream().filter(type -> !driver.binaryTransferSend(type)).toList(),
              SETTINGS.on(connection).one(row -> String.valueOf(row.getString(1))));
      ServerState state =
          ServerSession.prepare(
              connection,
              "the application's database",
              application.schema().name(),
              new ServerSource.Timeouts(application.statementTimeout(), Duration.ZERO));
      timelines.admit(state, connection);
      state.safety().check(application.allowUnsafeDurability());
      driver.setPrepareThreshold(1);
      held.sentAsText.forEach(driver.getQueryExecutor()::addBinarySendOid);
      connection.setNetworkTimeout(
          Runnable::run,
          application.statementTimeout().isZero()
              ? 0
              : Math.toIntExact(application.statementTimeout().plus(SOCKET_GRACE).toMillis()));
      ready = true;
      return held;
    } catch (UnsafeStoreException e) {
      throw refused(e);
    } catch (SqlFailure e) {
      throw e.failure();
    } finally {
      if (!ready) {
        connection.close();
      }
    }
  }

  private static SQLException refused(String why) {
    return refused(new UnsafeStoreException(why));
  }

  private static SQLException refused(UnsafeStoreException why) {
    return new SQLException(why.getMessage(), ServerTimelines.NOT_IN_PREREQUISITE_STATE, why);
  }

  /** Returns a connection to its data source, as it came if it can still be used. */
  private static void giveUp(Held held, boolean isFit) {
    try (Connection connection = held.connection) {
      if (isFit) {
        UNLISTEN.on(connection).execute();
        RESTORE.on(connection).with("settings", held.settings).any();
        PgConnection driver = connection.unwrap(PgConnection.class);
        driver.setPrepareThreshold(held.threshold);
        held.sentAsText.forEach(driver.getQueryExecutor()::removeBinarySendOid);
        connection.setNetworkTimeout(Runnable::run, held.networkTimeout);
        connection.setAutoCommit(held.committed);
      }
    } catch (SQLException | SqlFailure e) {
      // the data source finds it broken
    }
  }

  @Override
  public void close() {
    List<Held> left;
    synchronized (this) {
      closed = true;
      left = new ArrayList<>(idle);
      idle.clear();
    }
    left.forEach(one -> giveUp(one, true));
  }
}
