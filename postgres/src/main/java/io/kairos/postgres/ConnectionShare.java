package io.kairos.postgres;

import io.kairos.postgres.sql.Connections;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * A share of connections, for callers: however many there are, they wait for each other, and the
 * steps that extend leases do not wait for them. Callers have their turns in order. Thread-safe.
 */
final class ConnectionShare implements Connections {
  private static final Duration TURN_WITHIN = Duration.ofSeconds(5);

  private final Connections all;
  private final Semaphore turns;

  /**
   * @param most connections that callers have at a time
   */
  ConnectionShare(Connections all, int most) {
    this.all = all;
    this.turns = new Semaphore(most, true);
  }

  @Override
  public Connection borrow() throws SQLException {
    boolean has = false;
    try {
      has = turns.tryAcquire(TURN_WITHIN.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (!has) {
      throw new SQLTransientConnectionException(
          "other calls have used the connections for calls for "
              + TURN_WITHIN.toMillis()
              + " ms: make fewer at a time");
    }
    boolean given = false;
    try {
      Connection connection = all.borrow();
      given = true;
      return connection;
    } finally {
      if (!given) {
        turns.release();
      }
    }
  }

  @Override
  public void giveBack(Connection connection) throws SQLException {
    try {
      all.giveBack(connection);
    } finally {
      turns.release();
    }
  }

  /** The others are closed by whoever has them. */
  @Override
  public void close() {}
}
