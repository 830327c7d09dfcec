package io.kairos.server.wiring;

import io.kairos.domain.node.NodeId;
import io.kairos.engine.audit.AuditTrail;
import io.kairos.engine.audit.FinishedCalls;
import io.kairos.engine.cluster.ClusterDesk;
import io.kairos.engine.cluster.DetailFigures;
import io.kairos.engine.cluster.FiguresStep;
import io.kairos.engine.cluster.PeriodFigures;
import io.kairos.engine.cluster.RouteFigures;
import io.kairos.engine.delay.setup.DelayConfig;
import io.kairos.engine.loop.Step;
import io.kairos.engine.loop.StepActivity;
import io.kairos.engine.node.LivenessStore;
import io.kairos.engine.node.NodeLife;
import io.kairos.engine.poll.StepPolling;
import io.kairos.engine.schedule.ScheduleNode;
import io.kairos.engine.task.TaskNode;
import io.kairos.engine.time.MonotonicClock;
import io.kairos.engine.worker.WorkerDesk;
import io.kairos.engine.worker.WorkerRoster;
import io.kairos.node.LoopThreads;
import io.kairos.node.NodeCore;
import io.kairos.node.ParkedWakeup;
import io.kairos.postgres.PostgresStores;
import io.kairos.push.EncryptionKeyFile;
import io.kairos.push.PoolCredentials;
import io.kairos.push.PushConnections;
import io.kairos.push.PushNode;
import io.kairos.push.PushPorts;
import io.kairos.server.config.LoopDriver;
import io.kairos.server.config.RouteConfig;
import io.kairos.server.figures.NodeFigureSource;
import io.kairos.server.observe.HiccupStep;
import io.kairos.server.observe.LivenessObserver;
import io.kairos.server.observe.PushMetrics;
import io.kairos.server.observe.RefusedWrites;
import io.kairos.server.observe.RoundWatch;
import io.kairos.server.observe.ScheduleMetrics;
import io.kairos.server.observe.TaskMetrics;
import io.kairos.server.trace.NodeSpans;
import io.micrometer.core.instrument.MeterRegistry;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The engines of this process (tasks, schedules, push and, with a broker, the delay queue) with
 * their adapters, threads and metrics. Made once the stores are available; started and stopped
 * once.
 *
 * @param delay null for a node without a broker
 */
record NodePart(
    NodeLife life,
    TaskNode tasks,
    ScheduleNode schedules,
    PushNode push,
    AuditTrail audit,
    FiguresStep figures,
    ClusterDesk cluster,
    WorkerDesk workers,
    @Nullable DelayPart delay,
    RefusedWrites writes,
    StepPolling polling,
    LoopThreads threads) {
  private static final Logger LOG = LoggerFactory.getLogger(NodePart.class);

  private static final InstantSource CLOCK = NodeCore.CLOCK;
  private static final MonotonicClock MONOTONIC = NodeCore.MONOTONIC;
  private static final Duration LOOPS_END_WITHIN = Duration.ofSeconds(1);

  /**
   * Constructs all parts; {@link #start} runs them.
   *
   * @param keys those by which the stores encrypt secrets of pools
   * @param broker null for none
   * @param spans the listeners that make traces
   * @param finished has what was recorded for the audit log so far
   * @param fatal called with its name and the cause when a thread has died that the node needs
   * @param around wraps each step; the identity except in tests
   */
  static NodePart assemble(
      ServerConfig config,
      PostgresStores stores,
      Optional<EncryptionKeyFile> keys,
      NodeSurroundings.@Nullable Broker broker,
      MeterRegistry registry,
      NodeSpans spans,
      RoundWatch turns,
      FinishedCalls finished,
      BiConsumer<String, Throwable> fatal,
      UnaryOperator<Step> around) {
    LivenessObserver observer = new LivenessObserver(registry);
    RefusedWrites writes = new RefusedWrites(MONOTONIC);
    WorkerRoster roster = new WorkerRoster();
    TaskMetrics taskMetrics = new TaskMetrics(registry, writes, roster::lapsed);
    ScheduleMetrics scheduleMetrics = new ScheduleMetrics(registry);
    NodeCore core =
        NodeCore.assemble(
            new NodeCore.Settings(config.delay().liveness(), config.tasks(), config.schedules()),
            new NodeCore.Stores(
                stores.liveness(), stores.tasks(), stores.schedules(), stores.notifier()),
            new NodeCore.Listeners(
                observer, taskMetrics, scheduleMetrics, spans.tasks(), spans.runs()));
    NodeLife life = core.life();
    TaskNode tasks = core.tasks();
    ScheduleNode schedules = core.schedules();
    observer.watch(() -> life.actingAs().isPresent());
    WorkerDesk workers = new WorkerDesk(stores.workers(), roster, tasks);
    PushMetrics pushMetrics = new PushMetrics(registry);
    PushNode push = push(config, stores, keys, tasks, life, pushMetrics, spans);
    pushMetrics.watch(push);
    AuditTrail audit =
        new AuditTrail(
            config.audit(), new AuditTrail.Ports(stores.audit(), ParkedWakeup::new, finished));
    List<StepActivity> activities = new ArrayList<>(life.activities());
    DelayPart delay = null;
    if (broker == null) {
      DelayConfig.Detection detection = config.delay().detection();
      activities.add(life.burial(detection.holdTime().plus(detection.unknownOutcomeFor())));
    } else {
      delay =
          DelayPart.assemble(config, broker, stores, life, tasks, registry, writes, spans, fatal);
      activities.addAll(delay.activities());
    }
    activities.addAll(tasks.activities());
    activities.addAll(schedules.activities());
    activities.addAll(push.activities());
    activities.addAll(audit.activities());
    UnservedRoutes unserved =
        new UnservedRoutes(
            config.routes().stream().map(RouteConfig::name).toList(),
            stores::backlogByRoute,
            () -> isAlone(stores.liveness(), life),
            CLOCK);
    if (config.isBrokerLeftOut()) {
      unserved.refuse();
    }
    unserved.look();
    HiccupStep hiccups = new HiccupStep(registry, MONOTONIC);
    List<Supplier<PeriodFigures>> counts = new ArrayList<>();
    counts.add(taskMetrics::takeFigures);
    counts.add(scheduleMetrics::takeFigures);
    counts.add(hiccups::takeFigures);
    if (delay != null) {
      counts.add(delay.metrics()::takeFigures);
    }
    DelayPart delayQueue = delay;
    FiguresStep figures =
        figures(
            config,
            stores,
            life,
            counts,
            List.of(taskMetrics::takeDetails, push::takeDetails),
            delay == null ? List::of : delay.figures(),
            observer,
            () -> obstacles(writes, delayQueue));
    activities.add(StepActivity.serving(hiccups, new ParkedWakeup()));
    activities.add(StepActivity.serving(figures, new ParkedWakeup()));
    activities.add(StepActivity.serving(workers, new ParkedWakeup()));
    activities.add(StepActivity.serving(taskMetrics.watch(tasks), new ParkedWakeup()));
    activities.add(StepActivity.serving(unserved.step(), new ParkedWakeup()));
    activities.replaceAll(activity -> activity.around(step -> turns.watch(around.apply(step))));
    StepPolling polling = new StepPolling(activities, config.node().loops() == LoopDriver.INTERNAL);
    return new NodePart(
        life,
        tasks,
        schedules,
        push,
        audit,
        figures,
        cluster(config, stores, life, figures),
        workers,
        delay,
        writes,
        polling,
        new LoopThreads(polling.activities(), MONOTONIC, fatal));
  }

  /** True when the store knows of no other node that lives. */
  private static boolean isAlone(LivenessStore liveness, NodeLife life) {
    Optional<NodeId> self = life.id();
    return liveness.alive().stream().allMatch(one -> self.filter(one.node()::equals).isPresent());
  }

  private static FiguresStep figures(
      ServerConfig config,
      PostgresStores stores,
      NodeLife life,
      List<Supplier<PeriodFigures>> counts,
      List<Supplier<DetailFigures>> details,
      Supplier<List<RouteFigures>> routes,
      LivenessObserver observer,
      Supplier<List<String>> obstacles) {
    return new FiguresStep(
        new FiguresStep.Ports(
            stores.cluster(),
            life::id,
            new NodeFigureSource(
                new NodeFigureSource.Identity(
                    NodeFigureSource.processName(), BuildVersion.text(), doors(config)),
                counts,
                details,
                observer::ahead,
                obstacles,
                MONOTONIC),
            routes,
            CLOCK));
  }

  /** The troubles of this node that others are told. */
  private static List<String> obstacles(RefusedWrites writes, @Nullable DelayPart delay) {
    List<String> obstacles = new ArrayList<>(writes.obstacles());
    if (delay != null) {
      delay.obstacles().forEach(why -> obstacles.add(DelayPart.DOOR + ": " + why));
    }
    return obstacles;
  }

  private static ClusterDesk cluster(
      ServerConfig config, PostgresStores stores, NodeLife life, FiguresStep figures) {
    return new ClusterDesk(
        new ClusterDesk.Ports(
            stores.cluster(),
            stores.liveness(),
            stores.tasks(),
            stores.schedules(),
            life::id,
            CLOCK,
            config.delay().liveness().clockBound()),
        figures);
  }

  private static PushNode push(
      ServerConfig config,
      PostgresStores stores,
      Optional<EncryptionKeyFile> keys,
      TaskNode tasks,
      NodeLife life,
      PushMetrics metrics,
      NodeSpans spans) {
    return new PushNode(
        UUID.randomUUID().toString(),
        new PushPorts(
            tasks,
            stores.pools(),
            keys,
            life,
            new PushConnections(
                config.push(),
                config.push().allowed(config.http().address()),
                new PoolCredentials(config.poolFiles().credentials(), CLOCK)),
            CLOCK,
            MONOTONIC,
            new SecureRandom(),
            List.of(),
            metrics,
            spans.pushes()),
        ParkedWakeup::new);
  }

  void start() {
    threads.start();
  }

  /** The delay queue; empty for a node without a broker. */
  Optional<DelayPart> delayQueue() {
    return Optional.ofNullable(delay);
  }

  /** The kinds of work that a node takes in. */
  static List<String> doors(ServerConfig config) {
    List<String> doors = new ArrayList<>(List.of("tasks", "schedules", "pools"));
    if (config.kafka() != null) {
      doors.add(DelayPart.DOOR);
    }
    return doors;
  }

  /** Reasons that close this door by itself. */
  List<String> obstacles(String door) {
    return door.equals(DelayPart.DOOR)
        ? delayQueue().map(DelayPart::obstacles).orElse(List.of())
        : List.of();
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
        delayQueue()
            .map(queue ->
                CompletableFuture.supplyAsync(
                    () -> ended(() -> queue.node().stop(grace)),
                    stop -> Thread.ofPlatform().name("kairos-stop-messages").start(stop)))
            .orElse(CompletableFuture.completedFuture(true));
    // Tasks stop before the node's life ends, because their last writes need it. Pushes stop before
    // tasks, in a third of their time: an abandoned push is sent again by another node.
    Duration third = grace.dividedBy(3);
    var _ = ended(() -> push.stop(third));
    boolean quiet = ended(() -> tasks.stop(grace.minus(third)));
    quiet &= messages.join();
    var _ = ended(figures::finish);
    quiet &= ended(life::end);
    audit.close();
    List<String> left = threads.stop(LOOPS_END_WITHIN);
    if (!left.isEmpty()) {
      LOG.atWarn().addKeyValue("threads", left).log("loops did not end in time");
    }
    quiet &= ended(() -> tasks.giveBack(LOOPS_END_WITHIN));
    var _ = ended(audit::finish);
    delayQueue().ifPresent(DelayPart::close);
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
