package io.kairos.spring;

import io.kairos.client.TaskRequest;
import io.kairos.client.task.TaskId;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** Stores tasks by the functions of the database, in the transaction of a connection. */
@FunctionalInterface
interface TransactionalStore {
  /** Returns the ids of the tasks, all or none stored. */
  List<TaskId> schedule(Connection connection, List<TaskRequest> tasks) throws SQLException;
}
