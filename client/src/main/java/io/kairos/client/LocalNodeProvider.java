package io.kairos.client;

import io.kairos.client.encryption.EncryptedPayloads;
import io.kairos.client.net.LocalNode;
import io.kairos.client.task.TaskId;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Starts nodes in this process. The module in-process has one, which a {@link
 * java.util.ServiceLoader} finds: the Spring Boot starter, which runs on Java 17, uses the module
 * without naming its classes. Applications call {@code Kairos.inProcess} instead.
 */
public interface LocalNodeProvider {
  /**
   * Brings the schema up to date and starts a node. Returns when the node may act.
   *
   * @throws StartException when the database cannot be used, with what to do
   * @throws IllegalArgumentException when a setting breaks its rule
   */
  StartedNode start(Settings settings);

  /**
   * What a node is told; the builder of {@code Kairos.inProcess} describes each.
   *
   * @param handlers names of the handlers that the application has, and will register at a worker
   *     of its own
   */
  record Settings(
      DataSource source,
      String schema,
      boolean migrates,
      int connections,
      Duration statementTimeout,
      boolean allowsUnsafeDurability,
      Set<String> handlers,
      Set<String> handledElsewhere) {}

  /** A node that runs. Thread-safe. */
  interface StartedNode extends AutoCloseable {
    /** The node, for the builders of the client and of the worker. */
    LocalNode node();

    /**
     * Schedules tasks in the application's own transaction, as {@link TransactionalTasks} does, in
     * the schema of the node.
     *
     * @param payloads null for payloads that are stored as they are
     */
    List<TaskId> schedule(
        Connection connection, List<TaskRequest> tasks, @Nullable EncryptedPayloads payloads)
        throws SQLException;

    /** Ends the node, after its worker, and gives its connections back. Idempotent. */
    @Override
    void close();
  }

  /** A node cannot start; the message says why and what to do. */
  class StartException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    protected StartException(String message, @Nullable Throwable cause) {
      super(message, cause);
    }
  }
}
