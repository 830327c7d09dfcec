package io.kairos.spring;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.kairos.client.KairosClient;
import io.kairos.client.LocalNodeProvider;
import io.kairos.client.TaskRequest;
import io.kairos.client.encryption.EncryptedPayloads;
import io.kairos.client.net.CallRefusal;
import io.kairos.client.net.ConnectionBuilder;
import io.kairos.client.net.LocalNode;
import io.kairos.client.task.TaskId;
import io.kairos.client.worker.Worker;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;

/**
 * A node inside the application, on its {@code DataSource}. It starts with the life cycle of the
 * application, when migrations of the application's own tables have been made, and ends before the
 * {@code DataSource} is closed. Client and worker are those that call servers.
 */
final class InProcessNodes implements Nodes, TransactionalStore, LocalNode {
  private static final int JAVA_OF_NODES = 25;

  private final DataSource source;
  private final KairosProperties.InProcess settings;
  private final LocalNodeProvider provider;
  private final @Nullable EncryptedPayloads payloads;
  private final ObjectProvider<KairosTasksFactory<?>> interfaces;

  /** Null before the application starts. */
  @GuardedBy("this")
  private LocalNodeProvider.@Nullable StartedNode started;

  InProcessNodes(
      DataSource source,
      KairosProperties.InProcess settings,
      LocalNodeProvider provider,
      @Nullable EncryptedPayloads payloads,
      ObjectProvider<KairosTasksFactory<?>> interfaces) {
    this.source = source;
    this.settings = settings;
    this.provider = provider;
    this.payloads = payloads;
    this.interfaces = interfaces;
  }

  /**
   * Finds the library that runs nodes.
   *
   * @param java version of this JVM
   * @throws KairosConfigurationException when it is not there, or cannot run here
   */
  static LocalNodeProvider provider(int java, @Nullable ClassLoader loader) {
    if (java < JAVA_OF_NODES) {
      throw new KairosConfigurationException(
          "kairos.mode is in-process, and a node inside the application needs Java %d: this is Java %d."
              .formatted(JAVA_OF_NODES, java),
          "Run the application on Java %d or later, or set kairos.mode to server."
              .formatted(JAVA_OF_NODES));
    }
    return ServiceLoader.load(LocalNodeProvider.class, loader)
        .findFirst()
        .orElseThrow(() ->
            new KairosConfigurationException(
                "kairos.mode is in-process, and the library that runs nodes is not on the class"
                    + " path.",
                "Add the dependency io.kairos:kairos-in-process, or set kairos.mode to"
                    + " server."));
  }

  DataSource source() {
    return source;
  }

  @Override
  public KairosClient.Builder client() {
    return encrypting(KairosClient.builder(this));
  }

  @Override
  public Worker.Builder worker() {
    return encrypting(Worker.builder(this));
  }

  private <B extends ConnectionBuilder<B>> B encrypting(B builder) {
    return payloads == null ? builder : builder.encryption(payloads);
  }

  @Override
  public synchronized void start(Set<String> handlers) {
    if (started != null) {
      return; // the application was stopped and starts again
    }
    requireHandlers(handlers);
    try {
      started =
          provider.start(
              new LocalNodeProvider.Settings(
                  source,
                  settings.schema(),
                  settings.migrate(),
                  settings.connections(),
                  settings.statementTimeout(),
                  settings.allowUnsafeDurability(),
                  handlers,
                  Set.copyOf(settings.handledElsewhere())));
    } catch (LocalNodeProvider.StartException | IllegalArgumentException e) {
      throw new KairosConfigurationException(
          String.valueOf(e.getMessage()),
          "Change the database, its pool, or kairos.in-process.*: schema(...), connections(...) and"
              + " the other settings of the message are properties there.",
          e);
    }
  }

  /** A task for a handler that nobody has would wait for ever. */
  private void requireHandlers(Set<String> handlers) {
    if (handlers.isEmpty()) {
      return; // this application only schedules
    }
    interfaces.stream()
        .flatMap(each -> each.places().entrySet().stream())
        .filter(each -> !handlers.contains(each.getValue()))
        .filter(each -> !settings.handledElsewhere().contains(each.getValue()))
        .findFirst()
        .ifPresent(each -> {
          throw new KairosConfigurationException(
              "%s schedules '%s', which this application has no handler for; it has %s."
                  .formatted(
                      TaskMethodReader.capital(each.getKey()),
                      each.getValue(),
                      handlers.stream().sorted().toList()),
              "Correct the name, add a method with @KairosHandler, or name it in"
                  + " kairos.in-process.handled-elsewhere when others perform its tasks.");
        });
  }

  private synchronized LocalNodeProvider.StartedNode started() {
    if (started == null) {
      throw new IllegalStateException(
          "the node inside the application starts when all beans are there: schedule tasks from then"
              + " on, such as in an ApplicationRunner");
    }
    return started;
  }

  @Override
  public <A> void call(
      Object request, Class<A> answer, Consumer<A> answered, Consumer<CallRefusal> failed) {
    started().node().call(request, answer, answered, failed);
  }

  @Override
  public Executor answers() {
    return started().node().answers();
  }

  @Override
  public List<TaskId> schedule(Connection connection, List<TaskRequest> tasks) throws SQLException {
    return started().schedule(connection, tasks, payloads);
  }

  @Override
  public String answered() {
    return "the node inside answers";
  }

  @Override
  public void close() {
    LocalNodeProvider.StartedNode node;
    synchronized (this) {
      node = started;
    }
    if (node != null) {
      node.close();
    }
  }
}
