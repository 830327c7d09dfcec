package io.kairos.client.push;

import io.kairos.api.text.ResourceText;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;

/**
 * Makes the effect of an execution in the application's own database happen once, however often and
 * to whichever process it is pushed: the execution id is stored in the transaction of the effect.
 *
 * <pre>{@code
 * // once, or as a migration of yours
 * StoredExecutions.createTable(connection);
 *
 * new PushHandler(WebhookVerifier.of(secret), push -> {
 *   try (Connection connection = database.getConnection()) {
 *     connection.setAutoCommit(false);
 *     if (StoredExecutions.first(connection, push.executionId())) { // first in the transaction
 *       pay(connection, push.text());
 *       connection.commit(); // both or neither
 *     }
 *   }
 *   return PushReply.done();
 * });
 * }</pre>
 *
 * <p>For Postgres.
 */
public final class StoredExecutions {
  private static final String TABLE =
      ResourceText.of(StoredExecutions.class, "execution_table.sql");
  private static final String FIRST =
      ResourceText.of(StoredExecutions.class, "execution_first.sql");
  private static final String FORGET =
      ResourceText.of(StoredExecutions.class, "execution_forget.sql");

  private StoredExecutions() {}

  /** Creates the table {@code kairos_execution} unless it exists. */
  public static void createTable(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(TABLE);
    }
  }

  /**
   * Stores an execution id; returns true when it was not stored before, so that the effect is still
   * to be made. Waits while another transaction has stored the same id: the result is false when
   * that transaction commits, and true when it rolls back.
   *
   * @throws IllegalStateException when the connection is in auto-commit mode
   */
  public static boolean first(Connection connection, String executionId) throws SQLException {
    if (connection.getAutoCommit()) {
      throw new IllegalStateException(
          "the execution must be in one transaction with its effect: switch auto-commit off");
    }
    try (PreparedStatement statement = connection.prepareStatement(FIRST)) {
      statement.setString(1, executionId);
      return statement.executeUpdate() == 1;
    }
  }

  /**
   * Deletes executions whose effect is older than this, which must be longer than the time in which
   * an execution may be pushed again.
   *
   * @return number of executions deleted, at most 10,000
   */
  public static int forget(Connection connection, Duration olderThan) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(FORGET)) {
      statement.setLong(1, olderThan.toSeconds());
      return statement.executeUpdate();
    }
  }
}
