package io.kairos.server.wiring;

import static java.util.Objects.requireNonNull;

import io.kairos.domain.delay.RouteId;
import io.kairos.domain.node.NodeId;
import io.kairos.domain.schedule.fire.ScheduleId;
import io.kairos.domain.task.Output;
import io.kairos.domain.task.TaskIds;
import io.kairos.domain.task.TopicName;
import io.kairos.engine.delay.DelayConfig;
import io.kairos.engine.delay.DelayNode;
import io.kairos.engine.delay.MessageEdge;
import io.kairos.engine.delay.Ports;
import io.kairos.engine.delay.PostedMessages;
import io.kairos.engine.delay.Route;
import io.kairos.engine.door.TaskDoor;
import io.kairos.engine.loop.Activity;
import io.kairos.engine.loop.Step;
import io.kairos.engine.node.LivenessPorts;
import io.kairos.engine.node.NodeLife;
import io.kairos.engine.poll.Polling;
import io.kairos.engine.schedule.ScheduleNode;
import io.kairos.engine.schedule.SchedulePorts;
import io.kairos.engine.task.TaskNode;
import io.kairos.engine.task.TaskPorts;
import io.kairos.engine.time.Monotonic;
import io.kairos.kafka.KafkaConfig;
import io.kairos.kafka.KafkaInput;
import io.kairos.kafka.KafkaPublisher;
import io.kairos.postgres.PostgresStores;
import io.kairos.server.config.Loops;
import io.kairos.server.config.RouteConfig;
import io.kairos.server.observe.LivenessObserver;
import io.kairos.server.observe.Observation;
import io.kairos.server.observe.PushMetrics;
import io.kairos.server.observe.ScheduleMetrics;
import io.kairos.server.observe.TaskMetrics;
import io.kairos.server.observe.Turns;
import io.kairos.server.push.Caller;
import io.kairos.server.push.PushNode;
import io.kairos.server.push.PushPorts;
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
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The delay queue and the tasks of this process: the engine's nodes with their adapters, their
 * threads and what watches them. Made when stores and topics are there; started and stopped once.
 */
final class NodePart {
  private static final Logger LOG = LoggerFactory.getLogger(NodePart.class);

  private static final Duration LOOPS_END_WITHIN = Duration.ofSeconds(1);

  private final NodeLife life;
  private final DelayNode node;
  private final TaskNode tasks;
  private final ScheduleNode schedules;
  private final PushNode push;
  private final MessageEdge messages;
  private final Polling polling;
  private final LoopThreads threads;
  private final KafkaPublisher publisher;
  private final List<KafkaInput> inputs;

  private NodePart(
      NodeLife life,
      DelayNode node,
      TaskNode tasks,
      ScheduleNode schedules,
      PushNode push,
      MessageEdge messages,
      Polling polling,
      LoopThreads threads,
      KafkaPublisher publisher,
      List<KafkaInput> inputs) {
    this.life = life;
    this.node = node;
    this.tasks = tasks;
    this.schedules = schedules;
    this.push = push;
    this.messages = messages;
    this.polling = polling;
    this.threads = threads;
    this.publisher = publisher;
    this.inputs = List.copyOf(inputs);
  }

  /**
   * Puts the node together; nothing runs yet.
   *
   * @param fatal told when a thread that the node cannot do without has died
   * @param around lets tests put something around each step
   */
  static NodePart assemble(
      ServerConfig config,
      PostgresStores stores,
      KafkaConfig kafka,
      MeterRegistry registry,
      Turns turns,
      BiConsumer<String, Throwable> fatal,
      UnaryOperator<Step> around) {
    InstantSource clock = InstantSource.system();
    Monotonic monotonic = System::nanoTime;
    List<KafkaInput> inputs = new ArrayList<>();
    List<Route> routes = new ArrayList<>();
    Map<RouteId, String> names = new LinkedHashMap<>();
    for (RouteConfig route : config.routes()) {
      KafkaInput input =
          new KafkaInput(
              kafka,
              route.name(),
              route.input(),
              monotonic,
              error -> fatal.accept("input of route " + route.name(), error));
      inputs.add(input);
      RouteId id = stores.messages().route(route.name());
      names.put(id, route.name());
      routes.add(route(id, route, input));
    }
    UnservedRoutes.warn(stores.pendingByRoute(), names.values());
    KafkaPublisher publisher =
        new KafkaPublisher(
            kafka,
            monotonic,
            task -> Thread.ofVirtual().name("kairos-new-producer").start(task),
            error -> fatal.accept("producer", error));
    TaskDoor door =
        new TaskDoor(
            publisher,
            clock,
            config.tasks().retention().messages(),
            config.http().maxPayloadBytes());
    Observation observation = new Observation(registry, names, stores.messages(), clock, monotonic);
    NodeLife life =
        new NodeLife(
            config.delay().liveness(),
            new LivenessPorts(
                stores.liveness(),
                clock,
                monotonic,
                ParkedWakeup::new,
                () -> new NodeId(UUID.randomUUID()),
                new LivenessObserver(registry)));
    DelayNode node =
        new DelayNode(
            config.delay(),
            routes,
            life,
            new Ports(
                stores.messages(),
                stores.amendments(),
                door,
                clock,
                monotonic,
                ParkedWakeup::new,
                jitter(config.delay().claiming()),
                observation.events()));
    observation.watch(node::status, () -> isReady(life, node));
    TaskMetrics taskMetrics = new TaskMetrics(registry);
    TaskNode tasks = tasks(config, stores, taskMetrics, life, clock, monotonic);
    door.leadsTo(tasks);
    List<Activity> activities = new ArrayList<>(life.activities());
    activities.addAll(node.activities());
    activities.addAll(tasks.activities());
    ScheduleNode schedules =
        schedules(config, stores, new ScheduleMetrics(registry), tasks, monotonic);
    activities.addAll(schedules.activities());
    PushMetrics pushMetrics = new PushMetrics(registry);
    PushNode push = push(config, stores, tasks, pushMetrics, clock, monotonic);
    pushMetrics.watch(push);
    activities.addAll(push.activities());
    activities.add(Activity.serving(taskMetrics.watch(tasks), new ParkedWakeup()));
    observation.steps().forEach(step -> activities.add(Activity.serving(step, new ParkedWakeup())));
    activities.replaceAll(activity -> activity.around(step -> turns.watch(around.apply(step))));
    Polling polling = new Polling(activities, config.node().loops() == Loops.INTERNAL);
    return new NodePart(
        life,
        node,
        tasks,
        schedules,
        push,
        new PostedMessages(node, routes, clock, () -> ThreadLocalRandom.current().nextLong()),
        polling,
        new LoopThreads(polling.activities(), monotonic, fatal),
        publisher,
        inputs);
  }

  private static TaskNode tasks(
      ServerConfig config,
      PostgresStores stores,
      TaskMetrics metrics,
      NodeLife life,
      InstantSource clock,
      Monotonic monotonic) {
    return new TaskNode(
        config.tasks(),
        new TaskPorts(
            stores.tasks(),
            stores.liveness(),
            life::actingAs,
            clock,
            monotonic,
            ParkedWakeup::new,
            new TaskIds(clock, () -> ThreadLocalRandom.current().nextLong())::next,
            () -> ThreadLocalRandom.current().nextDouble(),
            metrics,
            stores.bell()));
  }

  private static ScheduleNode schedules(
      ServerConfig config,
      PostgresStores stores,
      ScheduleMetrics metrics,
      TaskNode tasks,
      Monotonic monotonic) {
    return new ScheduleNode(
        config.schedules(),
        new SchedulePorts(
            stores.schedules(),
            monotonic,
            ParkedWakeup::new,
            () -> new ScheduleId(UUID.randomUUID()),
            metrics,
            timeZoneRules()),
        tasks.inlet());
  }

  /** Such as 2026a: the version that the Java runtime brings. */
  private static String timeZoneRules() {
    return requireNonNull(ZoneRulesProvider.getVersions("UTC").lastEntry()).getKey();
  }

  private static PushNode push(
      ServerConfig config,
      PostgresStores stores,
      TaskNode tasks,
      PushMetrics metrics,
      InstantSource clock,
      Monotonic monotonic) {
    return new PushNode(
        UUID.randomUUID().toString(),
        new PushPorts(
            tasks,
            stores.pools(),
            new Caller(config.push(), config.push().allowed(config.http().address())),
            clock,
            monotonic,
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
        input);
  }

  /** Topics, handlers and pools that messages may name. */
  private static Set<Output> outputs(RouteConfig route) {
    Set<Output> outputs = new LinkedHashSet<>();
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

  NodeLife life() {
    return life;
  }

  /** Whether the node can work: it may act, and every route's output answers. */
  boolean isReady() {
    return isReady(life, node);
  }

  private static boolean isReady(NodeLife life, DelayNode node) {
    return life.actingAs().isPresent() && node.status().publishable();
  }

  DelayNode node() {
    return node;
  }

  TaskNode tasks() {
    return tasks;
  }

  ScheduleNode schedules() {
    return schedules;
  }

  PushNode push() {
    return push;
  }

  MessageEdge messages() {
    return messages;
  }

  Polling polling() {
    return polling;
  }

  /**
   * The loops turn while the node ends what is under way, tasks first and then messages, then the
   * loops end, then the producer. Bounded by twice the given time, a second and the publish
   * timeout.
   *
   * @return true when nothing of this node can be done twice because of the stop: broker and store
   *     have answered in time
   */
  boolean stop(Duration forWhatIsUnderWay) {
    // Tasks first: what is stored for them needs the node's life. Before them pushing, a worker of
    // theirs: it has a third of their time, as what it gives up is pushed again.
    Duration third = forWhatIsUnderWay.dividedBy(3);
    var _ = ended(() -> push.stop(third));
    boolean quiet = ended(() -> tasks.stop(forWhatIsUnderWay.minus(third)));
    quiet &= ended(() -> node.stop(forWhatIsUnderWay));
    quiet &=
        ended(() -> {
          life.end();
          return true;
        });
    List<String> left = threads.stop(LOOPS_END_WITHIN);
    if (!left.isEmpty()) {
      LOG.atWarn().addKeyValue("threads", left).log("loops did not end in time");
    }
    quiet &=
        ended(() -> {
          tasks.giveBack(LOOPS_END_WITHIN);
          return true;
        });
    inputs.forEach(KafkaInput::close);
    publisher.close();
    return quiet;
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
