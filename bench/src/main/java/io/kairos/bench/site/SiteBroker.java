package io.kairos.bench.site;

import static java.util.Objects.requireNonNull;

import io.kairos.bench.rig.BenchProcess;
import io.kairos.embedded.BrokerMain;
import io.kairos.embedded.ChildProcess;
import io.kairos.embedded.LoopbackPort;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The broker of one site, one of three that are controllers too. Used by one thread. */
final class SiteBroker implements AutoCloseable {
  private final int id;
  private final int port = LoopbackPort.choose();
  private final int controllerPort = LoopbackPort.choose();
  private final Path folder;
  private final String clusterId;
  private @Nullable BenchProcess process;

  SiteBroker(int id, String clusterId, Path folder) {
    this.id = id;
    this.clusterId = clusterId;
    this.folder = folder;
  }

  /** {@code host:port} for clients. */
  String address() {
    return "127.0.0.1:" + port;
  }

  /** Writes its properties, when all brokers of the cluster are known. */
  void configure(List<SiteBroker> all) {
    Properties properties = new Properties();
    properties.put("process.roles", "broker,controller");
    properties.put("node.id", Integer.toString(id));
    properties.put("broker.rack", "site-" + id);
    properties.put("log.dirs", folder.resolve("kafka").toString());
    properties.put(
        "listeners", "PLAINTEXT://" + address() + ",CONTROLLER://127.0.0.1:" + controllerPort);
    properties.put("advertised.listeners", "PLAINTEXT://" + address());
    properties.put("controller.listener.names", "CONTROLLER");
    properties.put("listener.security.protocol.map", "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT");
    properties.put(
        "controller.quorum.voters",
        all.stream()
            .map(each -> each.id + "@127.0.0.1:" + each.controllerPort)
            .collect(Collectors.joining(",")));
    properties.put("auto.create.topics.enable", "false");
    properties.put("default.replication.factor", "3");
    properties.put("min.insync.replicas", "2");
    for (String topic : List.of("offsets.topic", "transaction.state.log")) {
      properties.put(topic + ".replication.factor", "3");
      properties.put(topic + ".num.partitions", "4");
    }
    properties.put("transaction.state.log.min.isr", "2");
    properties.put("share.coordinator.state.topic.replication.factor", "3");
    properties.put("share.coordinator.state.topic.min.isr", "2");
    properties.put("group.initial.rebalance.delay.ms", "0");
    properties.put("group.min.session.timeout.ms", "1500");
    // A lost broker is replaced after two seconds and not after Kafka's nine.
    properties.put("broker.session.timeout.ms", "2000");
    properties.put("broker.heartbeat.interval.ms", "500");
    properties.put("log.cleaner.dedupe.buffer.size", "16777216");
    try {
      Files.createDirectories(folder.resolve("kafka"));
      try (Writer writer = Files.newBufferedWriter(configuration())) {
        properties.store(writer, null);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot configure the broker in " + folder, e);
    }
  }

  /** Starts the process and does not wait: one alone is never ready. */
  void start() {
    process = new Broker();
  }

  private Path configuration() {
    return folder.resolve("kafka.properties");
  }

  BenchProcess process() {
    return requireNonNull(process);
  }

  @Override
  public void close() {
    if (process != null) {
      process.close();
    }
  }

  private final class Broker extends BenchProcess {
    Broker() {
      super(
          "broker-" + id,
          ChildProcess::start,
          command(
              List.of(
                  "-Xmx512m", "-Dlogback.configurationFile=io/kairos/embedded/broker-logback.xml"),
              BrokerMain.class,
              List.of(
                  configuration().toString(), folder.resolve("kafka.pid").toString(), clusterId)),
          NO_JAVA_OPTIONS,
          folder.resolve("kafka.log"));
    }
  }
}
