package io.kairos.spring;

import io.kairos.client.TaskRequest;
import io.kairos.client.error.KairosException;
import io.kairos.client.error.QuotaExceededException;
import io.kairos.client.error.TaskConflictException;
import io.kairos.client.task.TaskId;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Stores tasks by the functions of the database on the connection of the running transaction, as
 * {@link io.kairos.client.TransactionalTasks} does: they are there if and only if it commits. After
 * its commit it is none that runs.
 */
final class JdbcTransactionJoin implements TransactionJoin {
  private static final String TAKEN = "23505";
  private static final String FULL = "53400";
  private static final String UNDEFINED = "42883";

  private final DataSource source;
  private final TransactionalStore store;

  JdbcTransactionJoin(DataSource source, TransactionalStore store) {
    this.source = source;
    this.store = store;
  }

  @Override
  public Optional<List<TaskId>> schedule(List<TaskRequest> tasks) {
    if (!TransactionSynchronizationManager.isActualTransactionActive()) {
      return Optional.empty();
    }
    Object holder = TransactionSynchronizationManager.getResource(source);
    if (holder == null) {
      throw new IllegalStateException(
          "a transaction is running, but not on the DataSource of the application, so the task"
              + " cannot join it: set kairos.transactions to separate, or schedule the task outside"
              + " of the transaction");
    }
    TransactionWatch.Phase phase = TransactionWatch.phase(holder);
    if (phase == TransactionWatch.Phase.ENDED) {
      return Optional.empty();
    }
    if (phase == TransactionWatch.Phase.UNKNOWN) {
      throw new IllegalStateException(
          "a transaction is active after a commit, and nobody can say whether it is the one that has"
              + " committed, so the task cannot join it: make its manager a bean of the application,"
              + " and begin a transaction of its own there, with propagation REQUIRES_NEW; or set"
              + " kairos.transactions to separate");
    }
    Connection connection = DataSourceUtils.getConnection(source);
    try {
      return Optional.of(store.schedule(connection, tasks));
    } catch (SQLException e) {
      throw failure(e);
    } finally {
      DataSourceUtils.releaseConnection(connection, source);
    }
  }

  private static KairosException failure(SQLException thrown) {
    String text = "the task cannot be stored in the running transaction: " + thrown.getMessage();
    return switch (String.valueOf(thrown.getSQLState())) {
      case TAKEN -> new TaskConflictException(text, thrown);
      case FULL -> new QuotaExceededException(text, null, thrown);
      case UNDEFINED ->
          new KairosException(
              text
                  + "; when the tasks are in another database than the application's tables, set"
                  + " kairos.transactions to separate",
              thrown);
      default -> new KairosException(text, thrown);
    };
  }
}
