package io.kairos.server.wiring;

import io.kairos.api.tls.UnusableTlsException;
import io.kairos.domain.node.NodeId;
import io.kairos.edge.HttpEdge;
import io.kairos.edge.NodeServices;
import io.kairos.edge.access.HttpConfig;
import io.kairos.engine.audit.FinishedCalls;
import io.kairos.engine.loop.Step;
import io.kairos.engine.schedule.ScheduleEdge;
import io.kairos.server.observe.AuditLines;
import io.kairos.server.observe.RoundWatch;
import io.kairos.server.observe.StoreMetrics;
import io.kairos.server.trace.NodeSpans;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A whole node in this process, from embedded engines to HTTP edge. Constructs its adapters,
 * threads and clocks. When one of its threads dies, the node ends with {@link ExitCode#BROKEN}. At
 * {@link #close} it finishes work in flight and gives the rest back to the store, then ends loops,
 * producer and pools, and then edge, stores and embedded engines side by side.
 */
public final class RunningNode extends ServingProcess {
  private static final Logger LOG = LoggerFactory.getLogger(RunningNode.class);

  /**
   * Time at a stop for tasks, and then for messages, to finish; see {@link NodePart#stop}. Shorter
   * than the publish timeout, because supervisors wait no longer than {@link ForcedExit} does.
   * Messages that the broker has not acknowledged by then may be published twice.
   */
  private static final Duration UNDER_WAY_ENDS_WITHIN = Duration.ofSeconds(3);

  private static final Duration BROKEN_ENDS_WITHIN = Duration.ofSeconds(1);

  private final NodeSigns signs;
  private final NodePart part;
  private final NodeAddresses places;

  private RunningNode(ServerConfig config, UnaryOperator<Step> around) {
    RoundWatch turns = new RoundWatch(config.longestRound(), monotonic);
    FinishedCalls finished = new FinishedCalls(monotonic, new AuditLines(registry));
    this.signs = new NodeSigns(turns, NodePart.doors(config), finished);
    boolean started = false;
    try {
      watchMachine();
      NodeSpans spans = opened.add("the traces", spans(config));
      Parts parts = open(config);
      this.part =
          NodePart.assemble(
              config,
              parts.stores.stores(),
              parts.stores.keys(),
              parts.broker,
              registry,
              spans,
              turns,
              finished,
              this::broken,
              around);
      this.places =
          new NodeAddresses(address(parts.broker), parts.stores.address(), parts.edge.port());
      part.start();
      signs.runs(part);
      started = true;
    } finally {
      closeUnless(started);
    }
  }

  private NodeSpans spans(ServerConfig config) {
    try {
      return NodeSpans.open(
          config.tracing(),
          new NodeSpans.Sender(BuildVersion.text(), UUID.randomUUID(), Instant.now()),
          registry);
    } catch (UnusableTlsException e) {
      throw new StartException(e);
    }
  }

  /**
   * Starts a node; embedded engines and the HTTP edge start in parallel. Returns when all loops
   * run, shortly before the node is ready. A broker that does not answer the first question is not
   * waited for. When interrupted, stops everything that it has started.
   *
   * @throws StartException when the environment prevents the start
   */
  public static RunningNode start(ServerConfig config) {
    return start(config, step -> step);
  }

  /** Starts a node with wrapped steps, for tests that inject faults. */
  static RunningNode start(ServerConfig config, UnaryOperator<Step> around) {
    return new RunningNode(config, around);
  }

  private record Parts(
      NodeSurroundings.Stores stores, NodeSurroundings.@Nullable Broker broker, HttpEdge edge) {}

  private static String address(NodeSurroundings.@Nullable Broker broker) {
    return broker == null ? BrokerChoice.NONE : broker.topics().kafka().bootstrapServers();
  }

  private Parts open(ServerConfig config) {
    NodeSurroundings surroundings =
        new NodeSurroundings(config, opened, monotonic, new StoreMetrics(registry, monotonic));
    // The edge starts long before an embedded engine has started, and closes after it, so that
    // /readyz says what the node waits for. With external engines the order is left to chance.
    // Platform threads, because engines start processes from class initializers, which pin a
    // virtual thread; on two cores two of them waited for each other forever.
    try (ExecutorService threads =
        Executors.newThreadPerTaskExecutor(Thread.ofPlatform().factory())) {
      var done = new ExecutorCompletionService<Object>(threads);
      Future<Object> edge = done.submit(() -> edge(config));
      Future<Object> stores = done.submit(surroundings::stores);
      Future<Object> broker = done.submit(surroundings::broker);
      try {
        for (int i = 0; i < 3; i++) {
          done.take().get();
        }
        return new Parts(
            (NodeSurroundings.Stores) stores.get(),
            ((Optional<?>) broker.get()).map(NodeSurroundings.Broker.class::cast).orElse(null),
            (HttpEdge) edge.get());
      } catch (ExecutionException e) {
        threads.shutdownNow();
        throw failure(e);
      } catch (InterruptedException e) {
        threads.shutdownNow();
        Thread.currentThread().interrupt();
        throw new StartException("The start was interrupted.", e);
      }
    }
  }

  private static RuntimeException failure(ExecutionException failed) {
    return switch (failed.getCause()) {
      case StartException e -> e;
      case RuntimeException e -> e;
      case Error e -> throw e;
      case null, default -> new IllegalStateException(failed);
    };
  }

  private HttpEdge edge(ServerConfig config) {
    HttpConfig http = config.http();
    return openEdge(
        http,
        NodeServices.of(signs, http, config.tasks().maxPending(), InstantSource.system()),
        this::broken);
  }

  /** Called on a dying thread: logs the cause once and asks for the end of the node. */
  private void broken(String what, Throwable why) {
    if (!isStopping() && breaks(what)) {
      LOG.atError()
          .addKeyValue("loop", what)
          .setCause(why)
          .log("the node is broken and ends; its messages go to the other nodes");
    }
  }

  @Override
  NodeSigns signs() {
    return signs;
  }

  /** The addresses of the node. */
  public NodeAddresses places() {
    return places;
  }

  @Override
  public Map<String, Object> facts() {
    Map<String, Object> facts = new LinkedHashMap<>();
    facts.put("node", id().map(Object::toString).orElse("none yet"));
    facts.put("kafka", places.bootstrapServers());
    facts.put("postgres", places.database());
    facts.put("httpPort", places.httpPort());
    return facts;
  }

  /** The schedules, as the edge calls them. */
  ScheduleEdge schedules() {
    return part.schedules();
  }

  /** The id of the node's present life; empty while it has none. */
  public Optional<NodeId> id() {
    return part.life().id();
  }

  @Override
  void stopLoops(boolean isBroken) {
    if (!part.stop(isBroken ? BROKEN_ENDS_WITHIN : UNDER_WAY_ENDS_WITHIN)) {
      LOG.warn(
          "stopped while messages were under way: those that the broker has taken will come twice");
    }
    opened.closeTogether();
  }
}
