package io.kairos.postgres;

import static java.util.Objects.requireNonNull;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.kairos.postgres.sql.Connections;
import io.kairos.postgres.sql.FailureText;
import io.kairos.postgres.sql.NonNullColumns;
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

  /** Longer than most pools wait, so that they say themselves what is wrong. */
  static final Duration FIRST_WITHIN = Duration.ofSeconds(35);

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

  private record Settings(String json, boolean mayWrite) {}

  HeldConnections(ApplicationDatabase application, int most, ServerTimelines timelines) {
    this.application = application;
    this.timelines = timelines;
    this.permits = new Semaphore(most);
  }

  /**
   * Refuses connections of another driver, and a pooler that would give settings of Kairos to
   * sessions of others.
   *
   * @throws UnsafeStoreException as {@link SessionPooling#check}
   * @throws io.kairos.engine.node.StoreUnavailable when the data source does not answer
   */
  static void check(ApplicationDatabase application) {
    try {
      SourceCall.within(
          FIRST_WITHIN,
          () -> {
            try (Connection one = application.source().getConnection()) {
              requireDriver(one);
              try (Connection other = second(application)) {
                if (one.unwrap(PgConnection.class).equals(other.unwrap(PgConnection.class))) {
                  throw new UnsafeStoreException(
                      "the data source gives one connection to all who ask: give Kairos a pool, or a data source that opens connections");
                }
                SessionPooling.check(one, other);
                return true;
              }
            }
          },
          checked -> {});
    } catch (SQLException e) {
      throw FailureText.unavailable("opening the store", e);
    }
  }

  private static Connection second(ApplicationDatabase application) {
    try {
      return application.source().getConnection();
    } catch (SQLException e) {
      throw tooFew(application, 1, e);
    }
  }

  private static UnsafeStoreException tooFew(
      ApplicationDatabase application, int given, SQLException why) {
    return new UnsafeStoreException(
        "the data source has given %d connections, and Kairos keeps %d (one for liveness, one that listens, the others for work): enlarge its pool by as many, or have Kairos take fewer by connections(...); the data source says: %s"
            .formatted(given, application.connections(), why.getMessage()));
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
          borrowed.add(each.borrow(FIRST_WITHIN));
          given++;
        }
      } catch (SQLException e) {
        if (e.getCause() instanceof UnsafeStoreException unsafe) {
          throw unsafe;
        }
        throw tooFew(application, given, e);
      } finally {
        borrowed.forEach(each::giveBack);
      }
    }
  }

  @Override
  public Connection borrow() throws SQLException {
    return borrow(application.connectTimeout());
  }

  /** Takes a connection as {@link #borrow()} does, at the start, when a pool may have none yet. */
  Connection borrow(Duration most) throws SQLException {
    if (!isPermitted(most)) {
      throw new SQLTransientConnectionException(
          "all connections that Kairos may take have been in use for " + most.toMillis() + " ms");
    }
    synchronized (this) {
      Held held = idle.pollFirst();
      if (held != null) {
        taken.put(held.connection, held);
        return held.connection;
      }
      if (closed) {
        permits.release();
        throw new SQLTransientConnectionException("Kairos is closed");
      }
    }
    return SourceCall.within(most, this::opened, late -> giveBack(late.connection)).connection;
  }

  /** Under a permit, which goes with the connection. */
  private Held opened() throws SQLException {
    boolean given = false;
    try {
      Held held = open();
      synchronized (this) {
        taken.put(held.connection, held);
      }
      given = true;
      return held;
    } finally {
      if (!given) {
        permits.release();
      }
    }
  }

  /** An interrupted thread, such as one that closes the node, may have what is free. */
  private boolean isPermitted(Duration most) throws SQLException {
    if (Thread.currentThread().isInterrupted()) {
      return permits.tryAcquire();
    }
    try {
      return permits.tryAcquire(most.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new SQLTransientConnectionException("interrupted while waiting for a connection", e);
    }
  }

  @Override
  public void giveBack(Connection connection) {
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

  private Held open() throws SQLException {
    @SuppressWarnings("MustBeClosed") // kept until it breaks or Kairos is closed
    Connection connection = application.source().getConnection();
    if (connection == null) {
      throw new SQLTransientConnectionException("the data source gives no connection, but null");
    }
    Held came = null;
    boolean ready = false;
    try {
      came = came(connection);
      setUp(came);
      ready = true;
      return came;
    } catch (UnsafeStoreException e) {
      throw new SQLException(e.getMessage(), ServerTimelines.NOT_IN_PREREQUISITE_STATE, e);
    } catch (SqlFailure e) {
      throw e.failure();
    } finally {
      if (!ready) {
        if (came == null) {
          connection.close();
        } else {
          giveUp(came, true);
        }
      }
    }
  }

  /** Reads what is changed in {@link #setUp}. */
  private static Held came(Connection connection) throws SQLException {
    requireDriver(connection);
    PgConnection driver = connection.unwrap(PgConnection.class);
    boolean committed = connection.getAutoCommit();
    Settings settings =
        SETTINGS
            .on(connection)
            .one(row -> new Settings(NonNullColumns.text(row, 1), row.getBoolean(2)));
    if (!committed) {
      connection.rollback();
    }
    if (connection.isReadOnly() || !settings.mayWrite) {
      throw new UnsafeStoreException(
          "the data source gives read-only connections: give Kairos one that may write");
    }
    return new Held(
        connection,
        committed,
        connection.getNetworkTimeout(),
        driver.getPrepareThreshold(),
        ARRAYS.stream().filter(type -> !driver.binaryTransferSend(type)).toList(),
        settings.json);
  }

  private static void requireDriver(Connection connection) throws SQLException {
    if (!connection.isWrapperFor(PgConnection.class)) {
      throw new UnsafeStoreException(
          "the data source gives connections of %s, and Kairos needs those of the Postgres driver (org.postgresql), or such as can be unwrapped to them"
              .formatted(connection.getClass().getName()));
    }
  }

  private void setUp(Held held) throws SQLException {
    Connection connection = held.connection;
    connection.setAutoCommit(true);
    ServerState state =
        ServerSession.prepare(
            connection,
            "the application's database",
            application.schema().name(),
            new ServerSource.Timeouts(application.statementTimeout(), Duration.ZERO));
    timelines.admit(state, connection);
    state.safety().check(application.allowUnsafeDurability());
    PgConnection driver = connection.unwrap(PgConnection.class);
    driver.setPrepareThreshold(1);
    held.sentAsText.forEach(driver.getQueryExecutor()::addBinarySendOid);
    connection.setNetworkTimeout(
        Runnable::run,
        application.statementTimeout().isZero()
            ? 0
            : Math.toIntExact(application.statementTimeout().plus(SOCKET_GRACE).toMillis()));
  }

  /**
   * Returns a connection to its data source, as it came if it can still be used; one whose settings
   * cannot be restored is broken, so that nobody gets it with Kairos' settings.
   */
  private static void giveUp(Held held, boolean isFit) {
    try (Connection connection = held.connection) {
      if (isFit && !isRestored(held)) {
        connection.abort(Runnable::run);
      }
    } catch (SQLException e) {
      // the data source finds it broken
    }
  }

  private static boolean isRestored(Held held) {
    Connection connection = held.connection;
    try {
      UNLISTEN.on(connection).execute();
      RESTORE.on(connection).with("settings", held.settings).any();
      PgConnection driver = connection.unwrap(PgConnection.class);
      driver.setPrepareThreshold(held.threshold);
      held.sentAsText.forEach(driver.getQueryExecutor()::removeBinarySendOid);
      connection.setNetworkTimeout(Runnable::run, held.networkTimeout);
      connection.setAutoCommit(held.committed);
      return true;
    } catch (SQLException | SqlFailure e) {
      return false;
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
