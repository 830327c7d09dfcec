package io.kairos.client.push;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;

/**
 * Makes the effect of an execution in the application's own database happen once, however often it
 * is pushed and to whichever process: the execution id is stored in the transaction of the effect.
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
 *   return Reply.done();
 * });
 * }</pre>
 *
 * <p>For Postgres.
 */
public final class StoredExecutions {
  private static final String TABLE = read("execution_table.sql");
  private static final String FIRST = read("execution_first.sql");
  private static final String FORGET = read("execution_forget.sql");

  private StoredExecutions() {}

  /** Creates the table {@code kairos_execution} unless it is there. */
  public static void createTable(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(TABLE);
    }
  }

  /**
   * Whether the effect is still to be had. Waits while another transaction is at the same
   * execution: when that one commits this is no longer the first, when it rolls back it is.
   *
   * @throws IllegalStateException when each statement is its own transaction, which would bind the
   *     effect to nothing
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
   * Forgets executions whose effect is older than this; it must be longer than any may be pushed
   * again.
   *
   * @return how many, at most 10,000
   */
  public static int forget(Connection connection, Duration olderThan) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(FORGET)) {
      statement.setLong(1, olderThan.toSeconds());
      return statement.executeUpdate();
    }
  }

  private static String read(String file) {
    try (InputStream in = StoredExecutions.class.getResourceAsStream(file)) {
      if (in == null) {
        throw new IllegalStateException(file + " is missing in the jar");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
