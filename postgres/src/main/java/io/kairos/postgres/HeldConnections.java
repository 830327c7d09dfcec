package io.kairos.postgres;

import static java.util.Objects.requireNonNull;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.kairos.postgres.sql.Connections;
import io.kairos.postgres.sql.FailureText;
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
import org.postgresql.jdbc.PgConnection;

/**
 * Connections of an application's data source that are kept, because their sessions have settings
 * of their own: at most as many as given. A broken one is given back and another is taken. At the
 * end each has the settings again with which it came. Thread-safe.
 */
final class HeldConnections implements Connections {
  /** Longer than most pools wait, so that they say themselves what is wrong. */
  static final Duration FIRST_WITHIN = Duration.ofSeconds(35);

  private final ApplicationDatabase application;
  private final ServerTimelines timelines;
  private final Semaphore permits;

  @GuardedBy("this")
  private final Deque<HeldSession> idle = new ArrayDeque<>();

  @GuardedBy("this")
  private final IdentityHashMap<Connection, HeldSession> taken = new IdentityHashMap<>();

  @GuardedBy("this")
  private boolean closed;

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
              HeldSession.requireDriver(one);
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
        "the data source has given %d connections, and Kairos keeps %d (one for liveness, one that listens, the others for work), so its pool needs at least %d, or nothing is left for the application: enlarge it, or have Kairos take fewer by connections(...); the data source says: %s"
            .formatted(
                given, application.connections(), application.connections() + 1, why.getMessage()));
  }

  /**
   * Takes all connections now, so that a pool with too few is found at the start. One more is taken
   * and given back: with none left, the first query of the application would wait in vain.
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
    try {
      SourceCall.within(
          FIRST_WITHIN,
          () -> {
            application.source().getConnection().close();
            return true;
          },
          left -> {});
    } catch (SQLException e) {
      throw tooFew(application, given, e);
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
      HeldSession held = idle.pollFirst();
      if (held != null) {
        taken.put(held.connection(), held);
        return held.connection();
      }
      if (closed) {
        permits.release();
        throw new SQLTransientConnectionException("Kairos is closed");
      }
    }
    return SourceCall.within(most, this::opened, late -> giveBack(late.connection())).connection();
  }

  /** Under a permit, which goes with the connection. */
  private HeldSession opened() throws SQLException {
    boolean given = false;
    try {
      HeldSession held = HeldSession.open(application, timelines);
      synchronized (this) {
        taken.put(held.connection(), held);
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
    HeldSession held;
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
        held.giveUp(isFit);
      }
      permits.release();
    }
  }

  @Override
  public void close() {
    List<HeldSession> left;
    synchronized (this) {
      closed = true;
      left = new ArrayList<>(idle);
      idle.clear();
    }
    left.forEach(one -> one.giveUp(true));
  }
}
