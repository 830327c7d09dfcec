package io.kairos.client.worker;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * Keeps late effects out of the application's own database. A worker that was stopped for longer
 * than its lease (a pause of the virtual machine, say) may still be about to commit while another
 * performs the task again. The fence tells them apart: the later claim has the higher one, and the
 * database refuses the lower.
 *
 * <pre>{@code
 * // once, or as a migration of yours
 * FencedWrites.createTable(connection);
 *
 * worker.handle("charge", PayloadCodec.utf8(), (orderId, context) -> {
 *   try (Connection connection = database.getConnection()) {
 *     connection.setAutoCommit(false);
 *     FencedWrites.guard(connection, context); // first in the transaction
 *     try (PreparedStatement pay = connection.prepareStatement(PAY_ORDER)) {
 *       pay.setString(1, orderId);
 *       pay.executeUpdate();
 *     }
 *     connection.commit(); // both or, if guard threw, neither
 *   }
 * });
 * }</pre>
 *
 * <p>For Postgres. One row for each resource is kept for ever; delete those of tasks that are long
 * finished.
 */
public final class FencedWrites {
  private static final String GUARD = read("fence_guard.sql");
  private static final String TABLE = read("fence_table.sql");

  private FencedWrites() {}

  /** Creates the table {@code kairos_fence} unless it is there. */
  public static void createTable(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(TABLE);
    }
  }

  /** Guards the effects of one task: the resource is its id. */
  public static void guard(Connection connection, TaskContext context) throws SQLException {
    guard(connection, context.taskId().toString(), context.fence());
  }

  /**
   * To be called first in the transaction of the effect. Holds the resource until that transaction
   * ends, so that two holders write one after the other.
   *
   * @param resource that only attempts of <em>one</em> task write to, because fences of two tasks
   *     cannot be compared; the task's id, or a key that belongs to it
   * @throws StaleFenceException when a higher fence was seen: roll back and stop
   * @throws IllegalStateException when each statement is its own transaction, which would guard
   *     nothing
   */
  public static void guard(Connection connection, String resource, long fence) throws SQLException {
    if (connection.getAutoCommit()) {
      throw new IllegalStateException(
          "the guard must be in one transaction with the effect: switch auto-commit off");
    }
    try (PreparedStatement statement = connection.prepareStatement(GUARD)) {
      statement.setString(1, resource);
      statement.setLong(2, fence);
      if (statement.executeUpdate() == 0) {
        throw new StaleFenceException(resource, fence);
      }
    }
  }

  private static String read(String file) {
    try (InputStream in = FencedWrites.class.getResourceAsStream(file)) {
      if (in == null) {
        throw new IllegalStateException(file + " is missing in the jar");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
