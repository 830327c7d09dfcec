package io.kairos.bench.push;

import com.sun.net.httpserver.HttpServer;
import io.kairos.bench.rig.BenchProcess;
import io.kairos.client.push.Push;
import io.kairos.client.push.PushHandler;
import io.kairos.client.push.PushReply;
import io.kairos.client.push.StoredExecutions;
import io.kairos.client.push.WebhookVerifier;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executors;

/**
 * The main class of an HTTP worker as users write it: the JDK's server, the client's receiver, and
 * work with one effect in a database. Runs until it is killed.
 */
public final class PushWorkerMain {
  /** Work of an execution before its effect, and again after it, when a kill makes a repeat. */
  private static final Duration WORK = Duration.ofMillis(50);

  private static final int CONNECTIONS = 8;
  private static final int BACKLOG = 1_000;

  private final Filter filter;
  private final BlockingQueue<Connection> connections = new ArrayBlockingQueue<>(CONNECTIONS);

  /** The filter of repeats. */
  public enum Filter {
    /** The execution id in the transaction of the effect, besides the cache. */
    STORED,
    /** The cache of each process alone. */
    RECENT
  }

  private PushWorkerMain(Filter filter) {
    this.filter = filter;
  }

  /**
   * Settings of a worker.
   *
   * @param port of this machine alone
   * @param secret by which the pool signs
   * @param jdbcUrl where effects are
   */
  public record Settings(int port, String secret, Filter filter, String jdbcUrl) {}

  /** A process of this. */
  public static BenchProcess start(Settings settings, Path log) {
    return BenchProcess.worker(PushWorkerMain.class, settings, log);
  }

  /** The server's thread keeps the process alive. */
  public static void main(String[] arguments) throws IOException, SQLException {
    Settings settings = BenchProcess.settings(arguments, Settings.class);
    PushWorkerMain worker = new PushWorkerMain(settings.filter);
    for (int i = 0; i < CONNECTIONS; i++) {
      Connection connection = DriverManager.getConnection(settings.jdbcUrl);
      connection.setAutoCommit(false);
      worker.connections.add(connection);
    }
    HttpServer server =
        HttpServer.create(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), settings.port), BACKLOG);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext(
        "/", new PushHandler(WebhookVerifier.of(settings.secret), worker::perform));
    server.start();
  }

  private PushReply perform(Push push) throws SQLException, InterruptedException {
    Thread.sleep(WORK);
    Connection connection = connections.take();
    try {
      boolean first =
          filter == Filter.RECENT || StoredExecutions.first(connection, push.executionId());
      PushedEffects.write(connection, push, !first);
      connection.commit();
    } finally {
      connection.rollback();
      connections.add(connection);
    }
    Thread.sleep(WORK);
    return PushReply.done();
  }
}
