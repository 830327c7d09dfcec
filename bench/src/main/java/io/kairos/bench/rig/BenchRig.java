package io.kairos.bench.rig;

import static java.util.Objects.requireNonNull;

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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.NewTopic;
import org.jspecify.annotations.Nullable;

/**
 * Postgres, one broker or two, and any number of nodes, on this machine and for one run of the
 * bench. The rig ends everything that it has started, and everything given to {@link #keep}. Used
 * by one thread; its end does not end the child processes.
 */
public final class BenchRig implements AutoCloseable {
  private static final Duration READY_WITHIN = Duration.ofMinutes(2);
  private static final String NO_BROKER = "none";
  private static final String INPUT = "bench.in";
  private static final String OUTPUT = "bench.out";

  private final WorkFolder folder;
  private final BenchNodeOptions options;
  private final Deque<AutoCloseable> kept = new ArrayDeque<>();
  private final RigServers servers;
  private @Nullable EmbeddedPostgres postgres;
  private @Nullable EmbeddedKafka broker;
  private final List<BenchNodeProcess> nodes = new ArrayList<>();
  private boolean hasTopics;
  private Path tree = PackagedNode.repository();

  /** Starts Postgres and one broker, with the settings that the application itself gives them. */
  public BenchRig(WorkFolder folder, BenchNodeOptions options) {
    this(folder, options, PostgresOptions.in(folder.resolve("postgres")));
  }

  /**
   * Starts Postgres and one broker.
   *
   * @param options of the nodes to come
   */
  public BenchRig(WorkFolder folder, BenchNodeOptions options, PostgresOptions postgresOptions) {
    this(folder, options, postgresOptions, true);
  }

  private BenchRig(
      WorkFolder folder,
      BenchNodeOptions options,
      PostgresOptions postgresOptions,
      boolean withBroker) {
    this.folder = folder;
    this.options = options;
    boolean complete = false;
    try {
      EmbeddedPostgres database = keep(EmbeddedPostgres.start(postgresOptions));
      postgres = database;
      if (withBroker) {
        broker = keep(EmbeddedKafka.start(KafkaOptions.in(folder.resolve("kafka"))));
      }
      servers = new EmbeddedServers(database, broker);
      complete = true;
    } finally {
      if (!complete) {
        close();
      }
    }
  }

  /** Starts Postgres alone, for nodes without a broker. */
  public static BenchRig withoutBroker(WorkFolder folder, BenchNodeOptions options) {
    return new BenchRig(folder, options, PostgresOptions.in(folder.resolve("postgres")), false);
  }

  /** A rig on servers that were started for it, and end with it. */
  public BenchRig(WorkFolder folder, BenchNodeOptions options, RigServers servers) {
    this.folder = folder;
    this.options = options;
    this.servers = keep(servers);
  }

  private record EmbeddedServers(EmbeddedPostgres postgres, @Nullable EmbeddedKafka broker)
      implements RigServers {
    @Override
    public String jdbcUrl() {
      return postgres.jdbcUrl();
    }

    @Override
    public String user() {
      return postgres.user();
    }

    @Override
    public String password() {
      return postgres.password();
    }

    @Override
    public String bootstrapServers() {
      return broker == null ? NO_BROKER : broker.bootstrapServers();
    }

    @Override
    public short replicationFactor() {
      return 1;
    }

    /** The rig ends both by itself. */
    @Override
    public void close() {}
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
    return requireNonNull(postgres, "the rig has servers of its own");
  }

  public EmbeddedKafka broker() {
    return requireNonNull(broker, "the rig has servers of its own");
  }

  public String bootstrapServers() {
    return servers.bootstrapServers();
  }

  boolean hasBroker() {
    return !bootstrapServers().equals(NO_BROKER);
  }

  /** A broker that owns partitions and may be stopped without the cluster noticing more. */
  public EmbeddedKafka addBroker() {
    return keep(
        EmbeddedKafka.start(
            KafkaOptions.in(folder.resolve("kafka-2")).joining(broker().asPeer(), 2)));
  }

  /** A connection that is closed with the rig. */
  public Connection connect() throws SQLException {
    return keep(DriverManager.getConnection(servers.jdbcUrl(), servers.user(), servers.password()));
  }

  /** The URL of the database with user and password, for a process that connects by itself. */
  public String databaseUrl() {
    String url = servers.jdbcUrl();
    return "%s%suser=%s&password=%s"
        .formatted(url, url.contains("?") ? "&" : "?", servers.user(), servers.password());
  }

  /**
   * A meter of all that the rig runs, and of this process.
   *
   * @param counted which of {@code node}, {@code broker} and {@code postgres} are measured
   */
  public ResourceMeter meter(Connection connection, String table, String... counted) {
    Set<String> measured = Set.of(counted);
    ResourceMeter meter =
        new ResourceMeter().part("node", measured.contains("node"), () -> sum(nodes()));
    if (hasBroker()) {
      meter.part("broker", measured.contains("broker"), () -> ProcessorTime.ofTree(broker().pid()));
    }
    return meter
        .part(
            "postgres", measured.contains("postgres"), () -> ProcessorTime.ofTree(postgres().pid()))
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

  /** The topic from which the nodes take messages. */
  public String input() {
    return INPUT;
  }

  /** The topic to which the nodes fire messages. */
  public String output() {
    return OUTPUT;
  }

  /** Creates the topics of the nodes' route, which the first start of a node does otherwise. */
  public void createTopics(int partitions) {
    createTopics(
        new NewTopic(INPUT, partitions, servers.replicationFactor()),
        new NewTopic(OUTPUT, partitions, servers.replicationFactor()));
  }

  /** Creates the topics with each output partition on the named broker, the input on the first. */
  public void createTopics(List<Integer> brokerOfOutputPartition) {
    createTopics(
        BenchTopics.placed(INPUT, Collections.nCopies(brokerOfOutputPartition.size(), 1)),
        BenchTopics.placed(OUTPUT, brokerOfOutputPartition));
  }

  private void createTopics(NewTopic... topics) {
    BenchTopics.create(bootstrapServers(), topics);
    hasTopics = true;
  }

  /** Lets the topics have more partitions than before. */
  public void addPartitions(int total) {
    BenchTopics.grow(bootstrapServers(), total, INPUT, OUTPUT);
  }

  /** Lets the nodes that start from now on be those that were built in this tree. */
  public void useNodesOf(Path other) {
    tree = other;
  }

  /** Starts so many nodes at once and waits until they are ready. */
  public void startNodes(int count) {
    List<BenchNodeProcess> started = Stream.generate(this::launchNode).limit(count).toList();
    started.forEach(node -> node.awaitReady(READY_WITHIN));
  }

  /**
   * Starts a node and waits until it is ready.
   *
   * @param jvmOptions that the options of all nodes override
   */
  public BenchNodeProcess startNode(String... jvmOptions) {
    BenchNodeProcess node = launchNode(LoopbackPort.choose(), jvmOptions);
    node.awaitReady(READY_WITHIN);
    return node;
  }

  /** Starts a node and does not wait. */
  public BenchNodeProcess launchNode() {
    return launchNode(LoopbackPort.choose());
  }

  /** Starts a node at the address of one that has ended and waits until it is ready. */
  public BenchNodeProcess replaceNode(BenchNodeProcess ended) {
    BenchNodeProcess node = launchNode(ended.port());
    node.awaitReady(READY_WITHIN);
    return node;
  }

  private BenchNodeProcess launchNode(int port, String... jvmOptions) {
    if (!hasTopics && hasBroker()) {
      createTopics(options.partitions);
    }
    String name = "node-" + (nodes.size() + 1);
    Path gcLog = folder.resolve(name + "-gc.log");
    List<String> jvm = new ArrayList<>(List.of(jvmOptions));
    jvm.addAll(options.jvmOptions);
    jvm.addAll(GcLog.options(gcLog));
    BenchNodeProcess node =
        keep(
            new BenchNodeProcess(
                name,
                PackagedNode.command(tree, configuration(port), folder.resolve(name + ".yaml")),
                PackagedNode.environment(jvm),
                URI.create(
                    (options.access.authorities() == null
                            ? "http://127.0.0.1:"
                            : "https://localhost:")
                        + port),
                folder.resolve(name + ".log"),
                gcLog));
    nodes.add(node);
    return node;
  }

  private Map<String, String> configuration(int port) {
    Map<String, String> all = new LinkedHashMap<>();
    all.put("postgres.url", servers.jdbcUrl());
    all.put("postgres.user", servers.user());
    all.put("postgres.password", servers.password());
    all.put("kafka.bootstrap-servers", bootstrapServers());
    all.put("http.port", Integer.toString(port));
    if (hasBroker()) {
      all.put("delay.routes.bench.input", INPUT);
      all.put("delay.routes.bench.output", OUTPUT);
    }
    all.putAll(options.properties);
    return all;
  }

  /** Nodes that still run, in the order of their start. */
  public List<BenchNodeProcess> nodes() {
    return nodes.stream().filter(BenchNodeProcess::isRunning).toList();
  }

  /** How clients and workers reach the nodes. */
  public NodeAccess access() {
    return options.access;
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
