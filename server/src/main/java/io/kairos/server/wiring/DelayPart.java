package io.kairos.server.wiring;

import io.kairos.domain.delay.RouteId;
import io.kairos.domain.task.queue.MessageOutput;
import io.kairos.domain.task.queue.TopicName;
import io.kairos.engine.delay.DelayNode;
import io.kairos.engine.delay.MessageEdge;
import io.kairos.engine.delay.PostedMessages;
import io.kairos.engine.delay.letter.LetterDesk;
import io.kairos.engine.delay.setup.DelayConfig;
import io.kairos.engine.delay.setup.DelayPorts;
import io.kairos.engine.delay.setup.Route;
import io.kairos.engine.door.TaskDoor;
import io.kairos.engine.loop.Step;
import io.kairos.engine.loop.StepActivity;
import io.kairos.engine.node.NodeLife;
import io.kairos.engine.task.TaskNode;
import io.kairos.engine.time.MonotonicClock;
import io.kairos.kafka.KafkaConfig;
import io.kairos.kafka.KafkaInput;
import io.kairos.kafka.KafkaLetters;
import io.kairos.kafka.KafkaPublisher;
import io.kairos.node.ParkedWakeup;
import io.kairos.postgres.PostgresStores;
import io.kairos.postgres.delay.RouteTopics;
import io.kairos.server.config.RouteConfig;
import io.kairos.server.figures.NodeFigureSource;
import io.kairos.server.figures.RouteFigureSource;
import io.kairos.server.observe.DelayMetrics;
import io.kairos.server.observe.RefusedWrites;
import io.kairos.server.trace.NodeSpans;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * The delay queue of a node that has a broker, with its routes, the clients of the broker and the
 * metrics. {@link NodePart} makes it before the node's life begins, drives the activities, and
 * stops and closes it.
 *
 * @param figures what other nodes are told of the routes
 * @param metrics counts what the delay queue does
 * @param activities every step with its wakeup
 */
record DelayPart(
    DelayNode node,
    MessageEdge messages,
    RouteFigureSource figures,
    RouteAgreement agreement,
    AwaitedPublisher publisher,
    List<KafkaInput> inputs,
    DelayMetrics metrics,
    List<StepActivity> activities)
    implements AutoCloseable {
  /** The name by which {@code /readyz} knows it. */
  static final String DOOR = "delay";

  private static final InstantSource CLOCK = InstantSource.system();
  private static final MonotonicClock MONOTONIC = System::nanoTime;

  DelayPart {
    inputs = List.copyOf(inputs);
    activities = List.copyOf(activities);
  }

  /**
   * Constructs the part.
   *
   * @param tasks takes the messages that become tasks
   * @param writes is told when the store takes no messages in
   * @param spans the listeners that make traces
   * @param fatal called with its name and the cause when a thread has died that the node needs
   */
  static DelayPart assemble(
      ServerConfig config,
      NodeSurroundings.Broker broker,
      PostgresStores stores,
      NodeLife life,
      TaskNode tasks,
      MeterRegistry registry,
      RefusedWrites writes,
      NodeSpans spans,
      BiConsumer<String, Throwable> fatal) {
    KafkaConfig kafka = broker.topics().kafka();
    List<KafkaInput> inputs = new ArrayList<>();
    List<Route> routes = new ArrayList<>();
    Map<RouteId, String> names = new LinkedHashMap<>();
    for (RouteConfig route : config.routes()) {
      KafkaInput input =
          new KafkaInput(
              kafka,
              route.name(),
              route.input(),
              MONOTONIC,
              error -> fatal.accept("input of route " + route.name(), error));
      inputs.add(input);
      RouteId id = stores.messages().route(route.name());
      names.put(id, route.name());
      routes.add(route(id, route, input));
    }
    RouteAgreement agreement = agreement(config, stores);
    AwaitedPublisher publisher =
        new AwaitedPublisher(
            broker,
            () ->
                new KafkaPublisher(
                    kafka,
                    MONOTONIC,
                    task -> Thread.ofVirtual().name("kairos-new-producer").start(task),
                    error -> fatal.accept("producer", error)));
    TaskDoor door =
        new TaskDoor(
            publisher,
            CLOCK,
            config.tasks().retention().messages(),
            config.http().maxPayloadBytes());
    door.leadsTo(tasks);
    DelayMetrics metrics =
        new DelayMetrics(
            registry,
            writes,
            names,
            () -> stores.messages().overview(names.keySet()),
            CLOCK,
            MONOTONIC);
    DelayNode node =
        new DelayNode(
            config.delay(),
            routes,
            life,
            new DelayPorts(
                stores.messages(),
                stores.amendments(),
                door,
                CLOCK,
                MONOTONIC,
                ParkedWakeup::new,
                jitter(config.delay().claiming()),
                metrics,
                spans.messages()));
    List<Step> more = new ArrayList<>(metrics.steps());
    more.add(agreement.step());
    if (broker.isAway()) {
      more.add(publisher.step());
    }
    List<StepActivity> activities = new ArrayList<>(node.activities());
    more.forEach(step -> activities.add(StepActivity.serving(step, new ParkedWakeup())));
    DelayPart part =
        new DelayPart(
            node,
            new PostedMessages(
                node,
                routes,
                CLOCK,
                () -> ThreadLocalRandom.current().nextLong(),
                new LetterDesk(
                    routes,
                    config.delay().intake().maxPayloadBytes(),
                    stores.messages(),
                    new KafkaLetters(kafka, MONOTONIC),
                    CLOCK)),
            new RouteFigureSource(
                NodeFigureSource.processName(),
                routes,
                node::troubles,
                metrics::takenOver,
                metrics::amendments),
            agreement,
            publisher,
            inputs,
            metrics,
            activities);
    metrics.watch(node::status, () -> part.obstacles().isEmpty());
    return part;
  }

  private static RouteAgreement agreement(ServerConfig config, PostgresStores stores) {
    RouteAgreement agreement =
        new RouteAgreement(
            config.routes().stream()
                .collect(
                    Collectors.toMap(
                        RouteConfig::name,
                        route -> new RouteTopics(route.input(), route.output()))),
            stores::statedTopics);
    agreement.state(stores::stateTopics);
    for (RouteConfig route : config.routes()) {
      SortedSet<String> topics = new TreeSet<>(route.allowedOutputs());
      topics.add(route.output());
      stores.statePosts(route.name(), topics, route.relayId());
    }
    return agreement;
  }

  private static Route route(RouteId id, RouteConfig route, KafkaInput input) {
    String results = route.resultsTopic();
    return new Route(
        id,
        route.name(),
        route.input(),
        new TopicName(route.output()),
        outputs(route),
        new TopicName(route.deadLetterTopic()),
        results == null ? null : new TopicName(results),
        route.relayId(),
        route.taskKeyFromRecord(),
        route.rejectBeyond().orElse(null),
        input);
  }

  /** Topics, handlers and pools that messages of a route may name as their destination. */
  private static Set<MessageOutput> outputs(RouteConfig route) {
    Set<MessageOutput> outputs = new LinkedHashSet<>();
    route.allowedOutputs().forEach(topic -> outputs.add(new TopicName(topic)));
    outputs.addAll(route.allowedHandlers());
    outputs.addAll(route.allowedPools());
    return outputs;
  }

  private static Supplier<Duration> jitter(DelayConfig.Claiming claiming) {
    long most = claiming.pollJitter().toNanos();
    return () -> Duration.ofNanos(ThreadLocalRandom.current().nextLong(most + 1));
  }

  /** Why the delay queue cannot publish at present; empty while it can. */
  List<String> obstacles() {
    Optional<String> away = publisher.obstacle();
    if (away.isPresent()) {
      return List.of(away.get());
    }
    return node.status().publishable()
        ? List.of()
        : List.of("a route's output topic has no partition that answers");
  }

  /** Leaves the consumer groups, and waits for sends under way, at most the publish timeout. */
  @Override
  public void close() {
    inputs.forEach(KafkaInput::close);
    publisher.close();
  }
}
