package io.kairos.testnode;

import io.grpc.BindableService;
import io.kairos.domain.delay.DelayedMessage;
import io.kairos.domain.node.NodeId;
import io.kairos.domain.schedule.definition.ScheduleId;
import io.kairos.domain.task.TaskIds;
import io.kairos.edge.HttpEdge;
import io.kairos.edge.NodeServices;
import io.kairos.edge.NodeView;
import io.kairos.edge.access.HttpConfig;
import io.kairos.edge.call.ReadyNode;
import io.kairos.engine.audit.AuditConfig;
import io.kairos.engine.audit.AuditEvents;
import io.kairos.engine.audit.AuditTrail;
import io.kairos.engine.loop.Loop;
import io.kairos.engine.loop.StepActivity;
import io.kairos.engine.schedule.ScheduleConfig;
import io.kairos.engine.schedule.ScheduleEvents;
import io.kairos.engine.schedule.ScheduleNode;
import io.kairos.engine.schedule.SchedulePorts;
import io.kairos.engine.schedule.port.ScheduleStore;
import io.kairos.engine.task.TaskNode;
import io.kairos.engine.task.port.DueNotifier;
import io.kairos.engine.task.setup.TaskConfig;
import io.kairos.engine.task.setup.TaskEvents;
import io.kairos.engine.task.setup.TaskPorts;
import io.kairos.model.audit.ModelAuditStore;
import io.kairos.model.node.ModelLivenessStore;
import io.kairos.model.schedule.ModelScheduleStore;
import io.kairos.model.task.ModelTaskStore;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;

/**
 * The engine and the edge of a real node on the model store, with a clock that a test advances.
 * Listens on loopback only. Serves tasks and schedules, but has no delay queue, no Kafka and no
 * Postgres; its data is lost at the end.
 */
final class TestNode implements AutoCloseable {
  /**
   * Time stands still while a handler works, so a lease only lapses when a test jumps beyond its
   * end.
   */
  private static final Duration LEASE = Duration.ofHours(1);

  /** The liveness of the only node never lapses. */
  private static final Duration NEVER = Duration.ofDays(36_500);

  private final List<Loop> loops = new ArrayList<>();
  private final TestClockCalls calls;
  private final HttpEdge edge;

  /**
   * Starts a node.
   *
   * @param fatal is notified when the node is broken
   */
  TestNode(Instant start, Consumer<Throwable> fatal) {
    TurnedClock clock = new TurnedClock(start);
    ModelTaskStore store = new ModelTaskStore(clock);
    ModelLivenessStore liveness = new ModelLivenessStore(clock);
    NodeId id = new NodeId(UUID.randomUUID());
    liveness.enrol(id, NEVER);
    TaskNode tasks =
        new TaskNode(
            config(),
            new TaskPorts(
                store,
                liveness,
                () -> Optional.of(id),
                _ -> OptionalLong.of(Long.MAX_VALUE), // a clock that tests turn is believed
                clock,
                clock,
                clock,
                new TaskIds(clock, () -> ThreadLocalRandom.current().nextLong())::next,
                () -> ThreadLocalRandom.current().nextDouble(),
                TaskEvents.NONE,
                DueNotifier.NONE));
    ScheduleStore scheduleStore = new ModelScheduleStore(clock, store, TestNode::noTopic);
    ScheduleNode schedules =
        new ScheduleNode(
            new ScheduleConfig(
                ScheduleConfig.DEFAULT.pollInterval(), ScheduleConfig.DEFAULT.maxBatch(), NEVER),
            new SchedulePorts(
                scheduleStore,
                clock,
                clock,
                () -> new ScheduleId(UUID.randomUUID()),
                ScheduleEvents.NONE,
                "as the test began"),
            tasks.inlet());
    calls = new TestClockCalls(clock, new NodeQuiescence(store, scheduleStore, clock));
    AuditTrail audit =
        new AuditTrail(
            new AuditConfig(NEVER),
            new AuditTrail.Ports(
                new ModelAuditStore(clock), System::nanoTime, clock, AuditEvents.NONE));
    HttpConfig http = HttpConfig.local(0);
    NodeView view = new View(new ReadyNode.Parts(tasks, null, schedules, null, audit, null, null));
    List<BindableService> services =
        new ArrayList<>(NodeServices.of(view, http, TaskConfig.DEFAULT.maxPending(), clock));
    services.add(calls);
    edge =
        HttpEdge.start(http, new PrometheusMeterRegistry(PrometheusConfig.DEFAULT), view, services);
    List<StepActivity> activities = new ArrayList<>(tasks.activities());
    activities.addAll(schedules.activities());
    activities.addAll(audit.activities());
    for (StepActivity activity : activities) {
      Loop loop = new Loop(activity, clock, fatal);
      loops.add(loop);
      Thread.ofPlatform().daemon().name("kairos-" + loop.name()).start(loop);
    }
  }

  private static void noTopic(DelayedMessage message) {
    throw new IllegalStateException(
        "the edge takes no schedule of a topic, such as " + message.output());
  }

  private static TaskConfig config() {
    TaskConfig shipped = TaskConfig.DEFAULT;
    return new TaskConfig(
        shipped.pollInterval(),
        Duration.ZERO,
        shipped.maxQueued(),
        shipped.maxQueuedBytes(),
        shipped.enqueueTimeout(),
        LEASE,
        shipped.heartbeatInterval(),
        shipped.heartbeatTimeout(),
        shipped.allowedDrift(),
        shipped.maxPending(),
        shipped.maxPendingBytes(),
        shipped.maxBatch(),
        new TaskConfig.Retention(NEVER, NEVER, NEVER, NEVER, shipped.retention().messages()));
  }

  int port() {
    return edge.port();
  }

  @Override
  public void close() {
    loops.forEach(Loop::stop);
    calls.close();
    edge.close();
  }

  private record View(ReadyNode.Parts served) implements NodeView {
    @Override
    public String greeting() {
      return "Kairos, a node for a test.\n";
    }

    @Override
    public List<String> obstacles() {
      return List.of();
    }

    @Override
    public Optional<ReadyNode.Parts> parts() {
      return Optional.of(served);
    }
  }
}
