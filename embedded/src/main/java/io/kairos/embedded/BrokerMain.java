package io.kairos.embedded;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Properties;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.storage.Formatter;

/**
 * The main class of the broker's JVM, started by {@link EmbeddedKafka} only. The broker has its own
 * JVM because it ends its process on a fatal fault, and because it has a hundred threads and
 * several hundred megabytes. Ends on SIGTERM, and at the end of its standard input, which means
 * that the parent is gone.
 */
public final class BrokerMain {
  /**
   * Bound on a stop. A broker needs 0.2 to 0.5 s; one that cannot reach its controller would wait
   * for minutes.
   */
  private static final Duration STOP_WITHIN = Duration.ofSeconds(4);

  private BrokerMain() {}

  /**
   * Runs a broker until the end of this process.
   *
   * @param arguments the broker's properties file, the file for its state, and the id of the
   *     cluster to join or "-"
   */
  public static void main(String[] arguments) throws Exception {
    Path configuration = Path.of(arguments[0]);
    StateFile state = StateFile.ofBroker(Path.of(arguments[1]));
    state.write(StateFile.STARTING);
    Thread.ofPlatform().name("kairos-parent-watch").daemon().start(BrokerMain::endWithParent);

    Properties properties = new Properties();
    try (Reader reader = Files.newBufferedReader(configuration)) {
      properties.load(reader);
    }
    formatIfNew(properties, arguments[2]);
    KafkaRaftServer server = new KafkaRaftServer(new KafkaConfig(properties, false), Time.SYSTEM);
    Runtime.getRuntime()
        .addShutdownHook(
            Thread.ofPlatform().name("kairos-broker-stop").unstarted(() -> stop(server)));
    server.startup();
    state.write(StateFile.READY);
    server.awaitShutdown();
  }

  private static void formatIfNew(Properties properties, String clusterId) throws Exception {
    String directory = OptionChecks.property(properties, "log.dirs");
    if (Files.exists(Path.of(directory, "meta.properties"))) {
      return;
    }
    new Formatter()
        .setPrintStream(
            new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8))
        .setNodeId(Integer.parseInt(OptionChecks.property(properties, "node.id")))
        .setClusterId(clusterId.equals("-") ? Uuid.randomUuid().toString() : clusterId)
        .setControllerListenerName(OptionChecks.property(properties, "controller.listener.names"))
        .setMetadataLogDirectory(directory)
        .addDirectory(directory)
        .run();
  }

  private static void stop(KafkaRaftServer server) {
    Thread stopping =
        Thread.ofPlatform().name("kairos-broker-shutdown").daemon().start(server::shutdown);
    try {
      if (!stopping.join(STOP_WITHIN)) {
        Runtime.getRuntime().halt(1);
      }
    } catch (InterruptedException e) {
      Runtime.getRuntime().halt(1);
    }
  }

  private static void endWithParent() {
    try (InputStream parent = System.in) {
      parent.transferTo(OutputStream.nullOutputStream());
    } catch (IOException broken) {
      // The same news in another form.
    }
    System.exit(0);
  }
}
