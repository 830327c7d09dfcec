package io.kairos.bench.rig;

import io.kairos.bench.measure.GcLog;
import io.kairos.bench.measure.ProcessorTime;
import io.kairos.bench.measure.ResourceMeter;
import io.kairos.embedded.EmbeddedKafka;
import io.kairos.embedded.EmbeddedPostgres;
import io.kairos.embedded.KafkaOptions;
import io.kairos.embedded.LoopbackPort;
import io.kairos.embedded.PostgresOptions;
import java.net.URI;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Postgres, one broker or two, and any number of nodes, on this machine and for one bench run. What
 * it started, and what it was given to {@link #keep}, it ends. Driven by one thread; that thread's
 * end is not the children's.
 */
public final class BenchRig implements AutoCloseable {
  private static final Duration READY_WITHIN = Duration.ofMinutes(2);

  private final WorkFolder folder;
  private final PackagedNode application;
  private final Deque<AutoCloseable> kept = new ArrayDeque<>();
  private final EmbeddedPostgres postgres;
  private final EmbeddedKafka broker;
  private final List<BenchNodeProcess> nodes = new ArrayList<>();
  private int routes;

  private BenchRig(WorkFolder folder, PackagedNode application, PostgresOptions options) {
    this.folder = folder;
    this.application = application;
    boolean complete = false;
    try {
      postgres = keep(EmbeddedPostgres.start(options));
      broker = keep(EmbeddedKafka.start(KafkaOptions.in(folder.resolve("kafka"))));
      complete = true;
    } finally {
      if (!complete) {
        close();
      }
    }
  }

  /** Starts Postgres and one broker, with the settings that the application itself gives them. */
  public static BenchRig start(WorkFolder folder, PackagedNode application) {
    return start(folder, application, folder.resolve("postgres"), Map.of());
  }

  /** Starts both with Postgres' data in a folder of the caller's choice. */
  public static BenchRig start(
      WorkFolder folder,
      PackagedNode application,
      Path postgresData,
      Map<String, String> postgresSettings) {
    return new BenchRig(
        folder, application, PostgresOptions.in(postgresData).withSettings(postgresSettings));
  }

  /** Closes it when the rig is closed, before what the rig was given earlier. */
  public <T extends AutoCloseable> T keep(T resource) {
    kept.push(resource);
    return resource;
  }

  public WorkFolder folder() {
    return folder;
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

  /** A broker that owns partitions and may be stopped without the cluster noticing more. */
  public EmbeddedKafka addBroker() {
    return keep(
        EmbeddedKafka.start(
            KafkaOptions.in(folder.resolve("kafka-2")).joining(broker.asPeer(), 2)));
  }

  /** A connection that is closed with the rig. */
  public Connection connect() throws SQLException {
    return keep(
        DriverManager.getConnection(postgres.jdbcUrl(), postgres.user(), postgres.password()));
  }

  /** The URL of the database with user and password, for a process that connects by itself. */
  public String databaseUrl() {
    String url = postgres.jdbcUrl();
    return "%s%suser=%s&password=%s"
        .formatted(url, url.contains("?") ? "&" : "?", postgres.user(), postgres.password());
  }

  /**
   * A meter of all that the rig runs, and of this process.
   *
   * @param counted which of {@code node}, {@code broker} and {@code postgres} are measured
   */
  public ResourceMeter meter(Connection connection, String table, String... counted) {
    Set<String> measured = Set.of(counted);
    return new ResourceMeter()
        .part("node", measured.contains("node"), () -> sum(nodes()))
        .part("broker", measured.contains("broker"), () -> ProcessorTime.ofTree(broker.pid()))
        .part("postgres", measured.contains("postgres"), () -> ProcessorTime.ofTree(postgres.pid()))
        .load()
        .table(connection, table)
        .pauses(() -> nodes().stream().map(BenchNodeProcess::gcLog).toList());
  }

  /** Processor time of all of them. */
  public static Duration sum(List<? extends BenchProcess> processes) {
    return processes.stream()
        .map(BenchProcess::processorTime)
        .reduce(Duration.ZERO, Duration::plus);
  }

  /** New topics with names that no run before had. */
  public RouteTopics newRoute(int partitions) {
    RouteTopics topics = nextRoute(partitions);
    BenchTopics.create(bootstrapServers(), partitions, topics.input(), topics.output());
    return topics;
  }

  /** Makes a route with each output partition on the named broker and the input on the first. */
  public RouteTopics newRoute(List<Integer> brokerOfOutputPartition) {
    RouteTopics topics = nextRoute(brokerOfOutputPartition.size());
    BenchTopics.createOn(
        bootstrapServers(), topics.input(), Collections.nCopies(topics.partitions(), 1));
    BenchTopics.createOn(bootstrapServers(), topics.output(), brokerOfOutputPartition);
    return topics;
  }

  /** Lets the topics of a route have more partitions than before. */
  public void addPartitions(RouteTopics topics, int total) {
    BenchTopics.grow(bootstrapServers(), total, topics.input(), topics.output());
  }

  private RouteTopics nextRoute(int partitions) {
    routes++;
    return RouteTopics.named("bench" + routes, partitions);
  }

  /** Starts so many nodes on these topics at once and waits until they are ready. */
  public List<BenchNodeProcess> startNodes(int count, RouteTopics topics, NodeSettings settings) {
    List<BenchNodeProcess> started = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      started.add(launchNode(topics, settings));
    }
    started.forEach(node -> node.awaitReady(READY_WITHIN));
    return started;
  }

  /** Starts a node on these topics and waits until it is ready. */
  public BenchNodeProcess startNode(RouteTopics topics, NodeSettings settings) {
    return startNodes(1, topics, settings).getFirst();
  }

  /** Starts a node and does not wait. */
  public BenchNodeProcess launchNode(RouteTopics topics, NodeSettings settings) {
    return launchNode(topics, settings, LoopbackPort.choose());
  }

  /** Starts a node at the address of one that has ended and waits until it is ready. */
  public void replaceNode(BenchNodeProcess ended, RouteTopics topics, NodeSettings settings) {
    launchNode(topics, settings, ended.port()).awaitReady(READY_WITHIN);
  }

  private BenchNodeProcess launchNode(RouteTopics topics, NodeSettings settings, int port) {
    String name = "node-" + (nodes.size() + 1);
    Path gcLog = folder.resolve(name + "-gc.log");
    BenchNodeProcess node =
        keep(
            new BenchNodeProcess(
                name,
                application.command(topics, settings, this, port, folder.resolve(name + ".yaml")),
                application.environment(settings.withJvmOptions(GcLog.options(gcLog))),
                URI.create("http://127.0.0.1:" + port),
                folder.resolve(name + ".log"),
                gcLog));
    nodes.add(node);
    return node;
  }

  /** Nodes that still run, in the order of their start. */
  public List<BenchNodeProcess> nodes() {
    return nodes.stream().filter(BenchNodeProcess::isRunning).toList();
  }

  /** Addresses of the running nodes. */
  public String[] addresses() {
    return nodes().stream().map(BenchNodeProcess::address).toArray(String[]::new);
  }

  /** A counter of the nodes that run, summed. */
  public double metric(String name) {
    return nodes().stream().mapToDouble(node -> node.metrics().sum(name)).sum();
  }

  @Override
  public void close() {
    if (kept.isEmpty()) {
      return;
    }
    try {
      kept.pop().close();
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException("cannot close what the rig has started", e);
    } finally {
      close(); // the rest
    }
  }
}
