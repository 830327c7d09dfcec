package io.kairos.client.handler;

import io.kairos.api.text.ResourceText;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * Rejects stale writes to the application's own database. A handler that ignores the interrupt
 * after its lease was lost, or whose process was stopped for longer than its lease (at a debugger's
 * breakpoint, or by a pause of the virtual machine), may still commit while another worker performs
 * the task again. The later claim has the higher fence, and the guard refuses the lower one. It
 * guards the effects in this database only; the two executions may still overlap.
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
 * <p>For Postgres. The table keeps one row per resource; delete rows of tasks that finished long
 * ago.
 */
public final class FencedWrites {
  private static final String GUARD = ResourceText.of(FencedWrites.class, "fence_guard.sql");
  private static final String TABLE = ResourceText.of(FencedWrites.class, "fence_table.sql");

  private FencedWrites() {}

  /** Creates the table {@code kairos_fence} unless it exists. */
  public static void createTable(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(TABLE);
    }
  }

  /** Guards the effects of one task; the resource is the task's id. */
  public static void guard(Connection connection, TaskContext context) throws SQLException {
    guard(connection, context.taskId().toString(), context.fence());
  }

  /**
   * Checks and stores a fence. Call it first in the transaction of the effect. The row of the
   * resource stays locked until the transaction ends, so that two holders of the lease write one
   * after the other.
   *
   * @param resource the task's id, or another key that only attempts of <em>one</em> task write to,
   *     because fences of two tasks cannot be compared
   * @throws StaleFenceException when a higher fence was stored before: roll back and stop
   * @throws IllegalStateException when the connection is in auto-commit mode
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
}
