package io.kairos.postgres;

import io.kairos.domain.node.NodeId;
import io.kairos.engine.task.port.Bell;
import io.kairos.postgres.sql.Call;
import io.kairos.postgres.sql.Database;
import io.kairos.postgres.sql.Failures;
import io.kairos.postgres.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.core.Notification;
import org.postgresql.jdbc.PgConnection;

/**
 * The bell by {@code NOTIFY}. Listens on a connection of its own, which is opened with the first
 * listening and again after each failure; what rang in between counts as heard. Who rings is in the
 * notification; the SQL function of applications leaves it empty. Names the driver's classes
 * instead of its interfaces, whose package carries annotations that no compiler here can read.
 */
final class PostgresBell implements Bell, AutoCloseable {
  private static final Sql LISTEN = Sql.load(PostgresBell.class, "listen.sql");
  private static final Sql RING = Sql.load(PostgresBell.class, "ring.sql");

  private final DataSource connections;
  private final Database database;
  private volatile @Nullable Connection listening;

  /**
   * @param connections makes the one that listens
   * @param database where ringing runs
   */
  PostgresBell(DataSource connections, Database database) {
    this.connections = connections;
    this.database = database;
  }

  @Override
  public void ring(NodeId by) {
    database.single(
        "ringing the bell",
        connection -> {
          try (Call call = RING.on(connection).with("node", by.toString())) {
            return call.query().next();
          }
        });
  }

  @Override
  public boolean heard(NodeId by, Duration atMost) {
    boolean answered = false;
    try {
      Connection present = listening;
      if (present == null) {
        listening = listen();
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
      throw Failures.unavailable("listening for the bell", e);
    } finally {
      if (!answered) {
        close();
      }
    }
  }

  @SuppressWarnings("MustBeClosed") // kept until it fails or the bell is closed
  private Connection listen() throws SQLException {
    Connection connection = connections.getConnection();
    boolean listens = false;
    try (Call call = LISTEN.on(connection)) {
      call.update();
      listens = true;
      return connection;
    } finally {
      if (!listens) {
        connection.close();
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

  /** Ends the listening; it begins anew when it is asked for. Any thread. */
  @Override
  public void close() {
    Connection former = listening;
    listening = null;
    if (former != null) {
      try {
        former.close();
      } catch (SQLException ignored) {
        // it is of no use any more
      }
    }
  }
}
