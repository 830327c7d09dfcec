package io.kairos.inprocess;

import io.kairos.client.LocalNodeProvider;
import io.kairos.client.TaskRequest;
import io.kairos.client.encryption.EncryptedPayloads;
import io.kairos.client.net.LocalNode;
import io.kairos.client.task.TaskId;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Starts the nodes of frameworks, which make client and worker by themselves. Not for applications;
 * they have {@link Kairos#inProcess}.
 */
public final class InProcessProvider implements LocalNodeProvider {
  /** For the service loader. */
  public InProcessProvider() {}

  @Override
  public StartedNode start(Settings settings) {
    Kairos.Builder builder =
        Kairos.inProcess(settings.source())
            .schema(settings.schema())
            .connections(settings.connections())
            .statementTimeout(settings.statementTimeout())
            .handledElsewhere(settings.handledElsewhere().toArray(String[]::new));
    if (!settings.migrates()) {
      builder.withoutMigration();
    }
    if (settings.allowsUnsafeDurability()) {
      builder.allowUnsafeDurability();
    }
    KnownHandlers known = builder.known(Set.copyOf(settings.handlers()));
    return new Started(builder.node(known), known, settings.schema());
  }

  /** A node, and where its tables are. */
  private record Started(InProcessRun run, KnownHandlers known, String schema)
      implements StartedNode {
    @Override
    public LocalNode node() {
      return run.node();
    }

    @Override
    public List<TaskId> schedule(
        Connection connection, List<TaskRequest> tasks, @Nullable EncryptedPayloads payloads)
        throws SQLException {
      return new Transactions(schema, known, payloads).schedule(connection, tasks);
    }

    @Override
    public void close() {
      run.close();
    }
  }
}
