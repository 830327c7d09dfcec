package io.kairos.inprocess;

import io.kairos.client.TaskRequest;
import io.kairos.client.TransactionalTasks;
import io.kairos.client.encryption.EncryptedPayloads;
import io.kairos.client.error.InvalidRequestException;
import io.kairos.client.task.TaskId;
import io.kairos.edge.refusal.InvalidField;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Schedules tasks in transactions of the application, by the rules and with the encryption of its
 * calls.
 */
record Transactions(String schema, KnownHandlers handlers, @Nullable EncryptedPayloads encryption) {
  List<TaskId> schedule(Connection connection, List<TaskRequest> tasks) throws SQLException {
    for (int i = 0; i < tasks.size(); i++) {
      require(tasks.size() == 1 ? "handler" : "tasks[" + i + "].handler", tasks.get(i));
    }
    return SearchPath.within(
        connection,
        schema,
        () ->
            encryption == null
                ? TransactionalTasks.scheduleAll(connection, tasks)
                : TransactionalTasks.scheduleAll(connection, tasks, encryption));
  }

  private void require(String field, TaskRequest task) {
    try {
      task.handler().ifPresent(handler -> handlers.require(field, handler));
    } catch (InvalidField e) {
      throw new InvalidRequestException(e.field(), e.rule(), e);
    }
  }
}
