package io.kairos.postgres;

import io.kairos.domain.node.NodeId;
import io.kairos.engine.task.port.DueNotifier;
import io.kairos.postgres.sql.Connections;
import io.kairos.postgres.sql.FailureText;
import io.kairos.postgres.sql.SqlDatabase;
import io.kairos.postgres.sql.SqlFailure;
import io.kairos.postgres.sql.SqlStatement;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.postgresql.core.Notification;
import org.postgresql.jdbc.PgConnection;

/**
 * Notifies nodes by {@code NOTIFY}. Listens on a connection of its own, which is opened by the
 * first call that listens and again after each failure. Opening counts as a notification, because
 * one may have been missed. A notification carries the sender's node id; the SQL function of
 * applications leaves it empty. This class names the driver's classes instead of its interfaces,
 * whose package carries annotations that no compiler here can read.
 */
final class PostgresNotifier implements DueNotifier, AutoCloseable {
  private static final SqlStatement LISTEN = SqlStatement.load("listen.sql");
  private static final SqlStatement RING = SqlStatement.load("ring.sql");

  private final Connections connections;
  private final SqlDatabase database;
  private final AtomicReference<@Nullable Connection> listening = new AtomicReference<>();

  /**
   * @param connections gives the connection that listens
   * @param database runs the statements that notify
   */
  PostgresNotifier(Connections connections, SqlDatabase database) {
    this.connections = connections;
    this.database = database;
  }

  @Override
  public void notifyOthers(NodeId by) {
    database.call("notifying nodes", RING).with("node", by.toString()).any();
  }

  @Override
  public boolean heard(NodeId by, Duration atMost) {
    boolean answered = false;
    try {
      Connection present = listening.get();
      if (present == null) {
        listening.set(listen());
        answered = true;
        return true;
      }
      Object @Nullable [] rung =
          present
              .unwrap(PgConnection.class)
              .getNotifications(Math.toIntExact(Math.max(1, atMost.toMillis())));
      answered = true;
      return isByAnother(rung, by.toString());
    } catch (SQLException e) {
      throw FailureText.unavailable("listening for notifications", e);
    } finally {
      if (!answered) {
        close();
      }
    }
  }

  @SuppressWarnings("MustBeClosed") // kept until it fails or the notifier is closed
  private Connection listen() throws SQLException {
    Connection connection = connections.borrow();
    boolean listens = false;
    try {
      LISTEN.on(connection).execute();
      listens = true;
      return connection;
    } catch (SqlFailure e) {
      throw e.failure();
    } finally {
      if (!listens) {
        connections.giveBack(connection);
      }
    }
  }

  private static boolean isByAnother(Object @Nullable [] rung, String own) {
    if (rung != null) {
      for (Object one : rung) {
        if (!(one instanceof Notification by && own.equals(by.getParameter()))) {
          return true;
        }
      }
    }
    return false;
  }

  /** Ends the listening; the next call of {@link #heard} begins it anew. Any thread. */
  @Override
  public void close() {
    Connection former = listening.getAndSet(null);
    if (former != null) {
      try {
        connections.giveBack(former);
      } catch (SQLException ignored) {
        // it is of no use any more
      }
    }
  }
}
