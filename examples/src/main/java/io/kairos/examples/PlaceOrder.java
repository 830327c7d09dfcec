package io.kairos.examples;

import io.kairos.client.TaskRequest;
import io.kairos.client.TransactionalTasks;
import io.kairos.client.task.TaskId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import javax.sql.DataSource;

/** Stores an order and the task that writes its invoice, both or neither. */
public final class PlaceOrder {
  private static final String INSERT = "insert into orders (id) values (?)";

  private PlaceOrder() {}

  /** Returns the id of the task. */
  public static TaskId place(DataSource database, String order) throws SQLException {
    try (Connection connection = database.getConnection();
        PreparedStatement insert = connection.prepareStatement(INSERT)) {
      connection.setAutoCommit(false);
      insert.setString(1, order);
      insert.executeUpdate();
      TaskId task =
          TransactionalTasks.schedule(
              connection, TaskRequest.to("write-invoice").payload(order).build());
      connection.commit();
      return task;
    }
  }
}
