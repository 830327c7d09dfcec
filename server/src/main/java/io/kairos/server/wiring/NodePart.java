package io.kairos.server.wiring;

import static java.util.Objects.requireNonNull;

import io.kairos.domain.delay.RouteId;
import io.kairos.domain.node.NodeId;
import io.kairos.domain.schedule.definition.ScheduleId;
import io.kairos.domain.task.TaskIds;
import io.kairos.domain.task.queue.MessageOutput;
import io.kairos.domain.task.queue.TopicName;
import io.kairos.engine.delay.DelayNode;
import io.kairos.engine.delay.MessageEdge;
import io.kairos.engine.delay.PostedMessages;
import io.kairos.engine.delay.setup.DelayConfig;
import io.kairos.engine.delay.setup.DelayPorts;
import io.kairos.engine.delay.setup.Route;
import io.kairos.engine.door.TaskDoor;
import io.kairos.engine.loop.Step;
import io.kairos.engine.loop.StepActivity;
import io.kairos.engine.node.LivenessPorts;
import io.kairos.engine.node.NodeLife;
import io.kairos.engine.poll.StepPolling;
import io.kairos.engine.schedule.ScheduleNode;
import io.kairos.engine.schedule.SchedulePorts;
import io.kairos.engine.task.TaskNode;
import io.kairos.engine.task.setup.TaskPorts;
import io.kairos.engine.time.MonotonicClock;
import io.kairos.kafka.KafkaConfig;
import io.kairos.kafka.KafkaInput;
import io.kairos.kafka.KafkaPublisher;
import io.kairos.postgres.PostgresStores;
import io.kairos.postgres.delay.RouteTopics;
import io.kairos.push.PushConnections;
import io.kairos.push.PushNode;
import io.kairos.push.PushPorts;
import io.kairos.server.config.LoopDriver;
import io.kairos.server.config.RouteConfig;
import io.kairos.server.observe.DelayMetrics;
import io.kairos.server.observe.LivenessObserver;
import io.kairos.server.observe.PushMetrics;
import io.kairos.server.observe.RefusedWrites;
import io.kairos.server.observe.RoundWatch;
import io.kairos.server.observe.ScheduleMetrics;
import io.kairos.server.observe.TaskMetrics;
import io.micrometer.core.instrument.MeterRegistry;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.time.zone.ZoneRulesProvider;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The engines of this process (delay queue, tasks, schedules, push) with their adapters, threads
 * and metrics. Made once stores and topics are available; started and stopped once.
 */
record NodePart(
    NodeLife life,
    DelayNode node,
    TaskNode tasks,
    ScheduleNode schedules,
    PushNode push,
    RefusedWrites writes,
    RouteAgreement agreement,
    MessageEdge messages,
    StepPolling polling,
    LoopThreads threads,
    KafkaPublisher publisher,
    List<KafkaInput> inputs) {
  private static final Logger LOG = LoggerFactory.getLogger(NodePart.class);

  private static final InstantSource CLOCK = InstantSource.system();
  private static final MonotonicClock MONOTONIC = System::nanoTime;
  private static final Duration LOOPS_END_WITHIN = Duration.ofSeconds(1);

  NodePart {
    inputs = List.copyOf(inputs);
  }

  /**
   * Constructs all parts; {@link #start} runs them.
   *
   * @param fatal called with its name and the cause when a thread has died that the node needs
   * @param around wraps each step; the identity except in tests
   */
  static NodePart assemble(
      ServerConfig config,
      PostgresStores stores,
      KafkaConfig kafka,
      MeterRegistry registry,
      RoundWatch turns,
      BiConsumer<String, Throwable> fatal,
      UnaryOperator<Step> around) {
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
    UnservedRoutes.warn(stores.pendingByRoute(), names.values());
    RouteAgreement agreement =
        new RouteAgreement(
            config.routes().stream()
                .collect(
                    Collectors.toMap(
                        RouteConfig::name,
                        route -> new RouteTopics(route.input(), route.output()))),
            stores::statedTopics);
    agreement.state(stores::stateTopics);
    KafkaPublisher publisher =
        new KafkaPublisher(
            kafka,
            MONOTONIC,
            task -> Thread.ofVirtual().name("kairos-new-producer").start(task),
            error -> fatal.accept("producer", error));
    TaskDoor door =
        new TaskDoor(
            publisher,
            CLOCK,
            config.tasks().retention().messages(),
            config.http().maxPayloadBytes());
    DelayMetrics delayMetrics =
        new DelayMetrics(
            registry, names, () -> stores.messages().overview(names.keySet()), CLOCK, MONOTONIC);
    NodeLife life =
        new NodeLife(
            config.delay().liveness(),
            new LivenessPorts(
                stores.liveness(),
                CLOCK,
                MONOTONIC,
                ParkedWakeup::new,
                () -> new NodeId(UUID.randomUUID()),
                new LivenessObserver(registry)));
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
                delayMetrics));
    delayMetrics.watch(node::status, () -> isReady(life, node));
    TaskMetrics taskMetrics = new TaskMetrics(registry, delayMetrics.writes());
    TaskNode tasks = tasks(config, stores, taskMetrics, life);
    door.leadsTo(tasks);
    List<StepActivity> activities = new ArrayList<>(life.activities());
    activities.addAll(node.activities());
    activities.addAll(tasks.activities());
    ScheduleNode schedules = schedules(config, stores, new ScheduleMetrics(registry), tasks);
    activities.addAll(schedules.activities());
    PushMetrics pushMetrics = new PushMetrics(registry);
    PushNode push = push(config, stores, tasks, life, pushMetrics);
    pushMetrics.watch(push);
    activities.addAll(push.activities());
    activities.add(StepActivity.serving(taskMetrics.watch(tasks), new ParkedWakeup()));
    activities.add(StepActivity.serving(agreement.step(), new ParkedWakeup()));
    delayMetrics
        .steps()
        .forEach(step -> activities.add(StepActivity.serving(step, new ParkedWakeup())));
    activities.replaceAll(activity -> activity.around(step -> turns.watch(around.apply(step))));
    StepPolling polling = new StepPolling(activities, config.node().loops() == LoopDriver.INTERNAL);
    return new NodePart(
        life,
        node,
        tasks,
        schedules,
        push,
        delayMetrics.writes(),
        agreement,
        new PostedMessages(node, routes, CLOCK, () -> ThreadLocalRandom.current().nextLong()),
        polling,
        new LoopThreads(polling.activities(), MONOTONIC, fatal),
        publisher,
        inputs);
  }

  private static TaskNode tasks(
      ServerConfig config, PostgresStores stores, TaskMetrics metrics, NodeLife life) {
    return new TaskNode(
        config.tasks(),
        new TaskPorts(
            stores.tasks(),
            stores.liveness(),
            life::actingAs,
            life,
            CLOCK,
            MONOTONIC,
            ParkedWakeup::new,
            new TaskIds(CLOCK, () -> ThreadLocalRandom.current().nextLong())::next,
            () -> ThreadLocalRandom.current().nextDouble(),
            metrics,
            stores.notifier()));
  }

  private static ScheduleNode schedules(
      ServerConfig config, PostgresStores stores, ScheduleMetrics metrics, TaskNode tasks) {
    return new ScheduleNode(
        config.schedules(),
        new SchedulePorts(
            stores.schedules(),
            MONOTONIC,
            ParkedWakeup::new,
            () -> new ScheduleId(UUID.randomUUID()),
            metrics,
            timeZoneRules()),
        tasks.inlet());
  }

  /** Version of the Java runtime's time zone rules, such as 2026a. */
  private static String timeZoneRules() {
    return requireNonNull(ZoneRulesProvider.getVersions("UTC").lastEntry()).getKey();
  }

  private static PushNode push(
      ServerConfig config,
      PostgresStores stores,
      TaskNode tasks,
      NodeLife life,
      PushMetrics metrics) {
    return new PushNode(
        UUID.randomUUID().toString(),
        new PushPorts(
            tasks,
            stores.pools(),
            life,
            new PushConnections(config.push(), config.push().allowed(config.http().address())),
            CLOCK,
            MONOTONIC,
            new SecureRandom(),
            List.of(),
            metrics),
        ParkedWakeup::new);
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

  void start() {
    threads.start();
  }

  /** True when the node has its liveness and every route's output topic answers. */
  private static boolean isReady(NodeLife life, DelayNode node) {
    return life.actingAs().isPresent() && node.status().publishable();
  }

  /**
   * Stops the node: first workers that wait are answered, then pushes and tasks end, and messages
   * at the same time, while the loops still run, then the loops, then inputs and producer. Takes at
   * most {@code grace}, three seconds, and the publish timeout.
   *
   * @param grace time for calls and pushes under way to finish, and for messages in flight
   * @return false when broker or store did not answer in time, so that messages may be published
   *     twice
   */
  boolean stop(Duration grace) {
    tasks.sendWorkersAway();
    CompletableFuture<Boolean> messages =
        CompletableFuture.supplyAsync(
            () -> ended(() -> node.stop(grace)),
            stop -> Thread.ofPlatform().name("kairos-stop-messages").start(stop));
    // Tasks stop before the node's life ends, because their last writes need it. Pushes stop before
    // tasks, in a third of their time: an abandoned push is sent again by another node.
    Duration third = grace.dividedBy(3);
    var _ = ended(() -> push.stop(third));
    boolean quiet = ended(() -> tasks.stop(grace.minus(third)));
    quiet &= messages.join();
    quiet &= ended(life::end);
    List<String> left = threads.stop(LOOPS_END_WITHIN);
    if (!left.isEmpty()) {
      LOG.atWarn().addKeyValue("threads", left).log("loops did not end in time");
    }
    quiet &= ended(() -> tasks.giveBack(LOOPS_END_WITHIN));
    inputs.forEach(KafkaInput::close);
    publisher.close();
    return quiet;
  }

  private static boolean ended(Runnable stop) {
    return ended(() -> {
      stop.run();
      return true;
    });
  }

  private static boolean ended(BooleanSupplier stop) {
    try {
      return stop.getAsBoolean();
    } catch (RuntimeException e) {
      LOG.atWarn()
          .addKeyValue("why", e.getMessage())
          .log(
              "could not tell the store that this node stops; what it holds is taken over when its"
                  + " liveness lapses");
      return false;
    }
  }
}
