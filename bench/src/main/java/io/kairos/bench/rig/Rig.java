package io.kairos.bench.rig;

import io.kairos.bench.measure.GcLog;
import io.kairos.embedded.EmbeddedKafka;
import io.kairos.embedded.EmbeddedPostgres;
import io.kairos.embedded.KafkaOptions;
import io.kairos.embedded.PostgresOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Postgres, one broker or two, and any number of nodes, on this machine and for one bench run. What
 * it started it stops. Driven by one thread; that thread's end is not the children's.
 */
public final class Rig implements AutoCloseable {
  private static final Duration READY_WITHIN = Duration.ofSeconds(60);

  private final Workplace workplace;
  private final PackagedNode application;
  private final EmbeddedPostgres postgres;
  private final EmbeddedKafka broker;
  private final List<NodeProcess> nodes = new ArrayList<>();
  private @Nullable EmbeddedKafka secondBroker;
  private int routes;
  private int started;

  private Rig(
      Workplace workplace,
      PackagedNode application,
      EmbeddedPostgres postgres,
      EmbeddedKafka broker) {
    this.workplace = workplace;
    this.application = application;
    this.postgres = postgres;
    this.broker = broker;
  }

  /** Starts Postgres and one broker, with the settings that the application itself gives them. */
  public static Rig start(Workplace workplace, PackagedNode application) {
    return start(workplace, application, workplace.resolve("postgres"), Map.of());
  }

  /** The same with Postgres' data in a folder of the caller's choice. */
  public static Rig start(
      Workplace workplace,
      PackagedNode application,
      Path postgresData,
      Map<String, String> postgresSettings) {
    EmbeddedPostgres postgres =
        EmbeddedPostgres.start(PostgresOptions.in(postgresData).withSettings(postgresSettings));
    boolean complete = false;
    try {
      EmbeddedKafka broker = EmbeddedKafka.start(KafkaOptions.in(workplace.resolve("kafka")));
      complete = true;
      return new Rig(workplace, application, postgres, broker);
    } finally {
      if (!complete) {
        postgres.close();
      }
    }
  }

  public EmbeddedPostgres postgres() {
    return postgres;
  }

  public EmbeddedKafka broker() {
    return broker;
  }

  public String bootstrapServers() {
    return broker.bootstrapServers();
  }

  /** Brings the schema into Postgres before any node has. */
  public void migrate() {
    StoreRig.migrate(postgres);
  }

  /**
   * A broker that owns partitions and may be stopped without the cluster noticing more than that.
   */
  public EmbeddedKafka addBroker() {
    EmbeddedKafka second =
        EmbeddedKafka.start(
            KafkaOptions.in(workplace.resolve("kafka-2")).joining(broker.asPeer(), 2));
    secondBroker = second;
    return second;
  }

  public Connection connect() throws SQLException {
    return DriverManager.getConnection(postgres.jdbcUrl(), postgres.user(), postgres.password());
  }

  /** New topics with names that no run before had. */
  public RouteTopics newRoute(int partitions) {
    RouteTopics topics = nextRoute(partitions);
    Topics.create(bootstrapServers(), partitions, topics.input(), topics.output());
    return topics;
  }

  /** The same, with each output partition on the broker named for it and the input on the first. */
  public RouteTopics newRoute(List<Integer> brokerOfOutputPartition) {
    RouteTopics topics = nextRoute(brokerOfOutputPartition.size());
    Topics.createOn(
        bootstrapServers(), topics.input(), Collections.nCopies(topics.partitions(), 1));
    Topics.createOn(bootstrapServers(), topics.output(), brokerOfOutputPartition);
    return topics;
  }

  /** Lets the topics of a route have more partitions than before. */
  public void addPartitions(RouteTopics topics, int total) {
    Topics.grow(bootstrapServers(), total, topics.input(), topics.output());
  }

  private RouteTopics nextRoute(int partitions) {
    routes++;
    return RouteTopics.named("bench" + routes, partitions);
  }

  /** Starts a node on these topics and waits until it is ready. */
  public NodeProcess startNode(RouteTopics topics, NodeSettings settings) {
    NodeProcess node = launchNode(topics, settings);
    node.awaitReady(READY_WITHIN);
    return node;
  }

  /** Starts a node and does not wait. */
  public NodeProcess launchNode(RouteTopics topics, NodeSettings settings) {
    return launchNode(topics, settings, freePort());
  }

  /** Starts a node at the address of one that has ended, and does not wait. */
  public NodeProcess launchAgain(NodeProcess ended, RouteTopics topics, NodeSettings settings) {
    return launchNode(topics, settings, ended.port());
  }

  private NodeProcess launchNode(RouteTopics topics, NodeSettings settings, int port) {
    started++;
    String name = "node-" + started;
    Path gcLog = workplace.resolve(name + "-gc.log");
    NodeProcess node =
        NodeProcess.start(
            name,
            application.command(
                topics,
                settings,
                new PackagedNode.Surroundings(
                    postgres.jdbcUrl(),
                    postgres.user(),
                    postgres.password(),
                    bootstrapServers(),
                    port),
                workplace.resolve(name + ".yaml")),
            application.environment(settings.withJvmOptions(GcLog.options(gcLog))),
            URI.create("http://127.0.0.1:" + port),
            workplace.resolve(name + ".log"),
            gcLog);
    nodes.add(node);
    return node;
  }

  /** One that nobody listened on a moment ago. */
  public static int freePort() {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException("no free port on 127.0.0.1", e);
    }
  }

  /** Nodes that still run. */
  public List<NodeProcess> nodes() {
    return nodes.stream().filter(NodeProcess::isRunning).toList();
  }

  /** Stops every node in an orderly way. */
  public void stopNodes() {
    nodes().forEach(NodeProcess::stop);
    nodes.clear();
  }

  @Override
  public void close() {
    nodes.forEach(NodeProcess::close);
    EmbeddedKafka second = secondBroker;
    if (second != null) {
      second.close();
    }
    broker.close();
    postgres.close();
  }
}
