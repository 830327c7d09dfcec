package io.kairos.model.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.domain.schedule.RuleBounds;
import io.kairos.domain.schedule.RunSpread;
import io.kairos.domain.schedule.definition.CatchUpPolicy;
import io.kairos.domain.schedule.definition.FirePolicies;
import io.kairos.domain.schedule.definition.OverlapPolicy;
import io.kairos.domain.schedule.definition.Schedule;
import io.kairos.domain.schedule.definition.ScheduleDefinition;
import io.kairos.domain.schedule.definition.ScheduleId;
import io.kairos.domain.schedule.definition.ScheduleName;
import io.kairos.domain.schedule.definition.ScheduleRule;
import io.kairos.domain.schedule.definition.ScheduleTarget;
import io.kairos.domain.schedule.fire.LedgerEntry;
import io.kairos.domain.task.AttemptOutcome;
import io.kairos.domain.task.TaskDetails;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.queue.HandlerName;
import io.kairos.domain.task.queue.QueueName;
import io.kairos.engine.delay.setup.DelayConfig;
import io.kairos.engine.poll.StepReport;
import io.kairos.engine.schedule.ScheduleConfig;
import io.kairos.engine.schedule.ScheduleEvents;
import io.kairos.engine.schedule.ScheduleNode;
import io.kairos.engine.schedule.SchedulePorts;
import io.kairos.engine.schedule.ScheduleResult;
import io.kairos.engine.schedule.port.LedgerQuery;
import io.kairos.engine.schedule.port.ScheduleStore;
import io.kairos.engine.task.edge.ClaimedTask;
import io.kairos.engine.task.setup.TaskConfig;
import io.kairos.model.node.CrankedTasks.CallAnswer;
import io.kairos.model.node.CrankedTasks.Node;
import io.kairos.model.schedule.ModelScheduleStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Nodes that do not look for work by themselves: what is polled happens, once, and nothing is
 * skipped.
 */
class PolledNodesTest {
  private static final ScheduleName REPORT = new ScheduleName("report");
  private static final Duration MOMENT = Duration.ofMillis(20);
  private static final String HANDLER = "report";

  private final CrankedTasks world = new CrankedTasks();
  private final ScheduleStore store =
      new ModelScheduleStore(world.crank.clock(), world.store, _ -> {});
  private final Map<Node, CallAnswer<List<ClaimedTask>>> asked = new HashMap<>();
  private final Map<TaskId, Integer> performed = new HashMap<>();
  private final List<ScheduleNode> edges = new ArrayList<>();
  private long lastId;

  PolledNodesTest() {
    world.loopsInside = false;
  }

  private Node node() {
    Node node = world.node();
    ScheduleNode schedules =
        new ScheduleNode(
            ScheduleConfig.DEFAULT,
            new SchedulePorts(
                store,
                world.crank::nanos,
                world.crank::wakeup,
                () -> new ScheduleId(new UUID(3, ++lastId)),
                ScheduleEvents.NONE,
                "2026a"),
            node.tasks.inlet());
    node.drive(schedules.activities());
    edges.add(schedules);
    return node;
  }

  private Schedule create(ScheduleName name, Duration every, CatchUpPolicy catchUp) {
    ScheduleResult result =
        edges
            .getLast()
            .create(
                name,
                new ScheduleDefinition(
                    ScheduleRule.of(ScheduleRule.Kind.EVERY, every.toString()),
                    RuleBounds.NONE,
                    RunSpread.NONE,
                    new ScheduleTarget.Handler(
                        new QueueName(new HandlerName(HANDLER), QueueName.DEFAULT),
                        TaskDetails.of(new byte[] {7})),
                    FirePolicies.DEFAULT.with(OverlapPolicy.ALLOW_ALL).with(catchUp)));
    assertThat(result).isInstanceOf(ScheduleResult.Done.class);
    return ((ScheduleResult.Done) result).schedule();
  }

  private void createEveryMinute() {
    create(REPORT, Duration.ofMinutes(1), CatchUpPolicy.DEFAULT);
  }

  private List<LedgerEntry> ledger(ScheduleName name) {
    return store.fires(LedgerQuery.latest(store.find(name).orElseThrow().id(), 10_000));
  }

  private List<StepReport> poll(Node node) {
    List<StepReport> said = node.poll();
    world.pass(MOMENT, node);
    return said;
  }

  private static StepReport of(List<StepReport> said, String step) {
    return said.stream().filter(one -> one.step().equals(step)).findFirst().orElseThrow();
  }

  @Test
  void ph11_ph13_nothing_fires_until_somebody_polls_and_the_poll_says_so() {
    Node node = node();
    createEveryMinute();
    world.pass(Duration.ofSeconds(90), node);
    assertThat(ledger(REPORT)).isEmpty();

    StepReport said = of(poll(node), "fire-schedules");

    assertThat(ledger(REPORT)).hasSize(1).allMatch(LedgerEntry::isFired);
    assertThat(said.done()).isEqualTo(1);
    assertThat(said.outcome()).isEqualTo(StepReport.Outcome.AT_REST);
    assertThat(of(poll(node), "fire-schedules").done()).isZero();
  }

  @Test
  void ph12_the_first_poll_after_a_schedule_is_made_fires_nothing() {
    Node node = node();
    createEveryMinute();

    assertThat(of(poll(node), "fire-schedules").done()).isZero();

    assertThat(ledger(REPORT)).isEmpty();
  }

  @Test // PH-25
  void ph14_what_came_due_between_two_polls_is_one_run_or_as_the_schedule_says() {
    Node node = node();
    createEveryMinute();
    ScheduleName all = new ScheduleName("all");
    create(
        all,
        Duration.ofMinutes(1),
        new CatchUpPolicy(CatchUpPolicy.Mode.ALL, Duration.ofDays(1), 1_000));
    world.pass(Duration.ofSeconds(330), node);

    poll(node);

    assertThat(ledger(REPORT).stream().filter(LedgerEntry::isFired)).hasSize(1);
    assertThat(ledger(all)).hasSize(5).allMatch(LedgerEntry::isFired);
  }

  @ParameterizedTest // PH-L1
  @ValueSource(ints = {50, 59, 60, 61, 70})
  void ph21_ph22_ph23_ph24_a_memory_that_is_lost_between_two_polls_skips_nothing(int lostAfter) {
    Node node = node();
    createEveryMinute();
    world.pass(Duration.ofSeconds(45), node);
    poll(node);
    world.pass(Duration.ofSeconds(lostAfter - 45L), node);
    node.die();
    Node next = node();
    world.pass(Duration.ofSeconds(75L - lostAfter), next);

    poll(next);

    assertThat(ledger(REPORT)).hasSize(1).allMatch(LedgerEntry::isFired);
  }

  @Test
  void what_is_accepted_for_a_worker_that_waits_needs_no_poll() {
    Node node = node();
    CallAnswer<List<ClaimedTask>> told = node.ask(10, HANDLER);
    world.pass(MOMENT, node);

    node.schedule(world.dueIn(Duration.ofSeconds(3), HANDLER));
    world.pass(Duration.ofMillis(2_900), node);
    assertThat(told.isAnswered()).isFalse();
    world.pass(Duration.ofMillis(200), node);

    assertThat(told.get()).hasSize(1);
  }

  @Test
  void what_becomes_due_in_the_store_waits_for_a_poll() {
    Node node = node();
    CallAnswer<List<ClaimedTask>> told = node.ask(10, HANDLER);
    node.schedule(world.dueIn(Duration.ofMinutes(2), HANDLER));
    world.pass(Duration.ofSeconds(125), node);
    assertThat(told.isAnswered()).isFalse();

    assertThat(of(poll(node), "consume-tasks").done()).isEqualTo(1);

    assertThat(told.get()).hasSize(1);
  }

  @Test
  void da21_a_holder_that_is_not_heard_of_is_noticed_by_a_poll() {
    Node node = node();
    CallAnswer<List<ClaimedTask>> told = node.ask(10, HANDLER);
    node.schedule(world.dueIn(Duration.ZERO, HANDLER));
    world.pass(TaskConfig.DEFAULT.lease().plusSeconds(5), node);
    assertThat(told.get()).hasSize(1);
    assertThat(world.lapsed).isZero();

    assertThat(of(poll(node), "reap-tasks").done()).isEqualTo(1);

    assertThat(world.lapsed).isEqualTo(1);
  }

  @ParameterizedTest // PH-L3, PH-F2
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void ph36_pollers_of_two_nodes_at_random_moments_do_each_thing_once(long seed) {
    RandomGenerator random = random(seed);
    List<Node> nodes = List.of(node(), node());
    List<Schedule> schedules = new ArrayList<>();
    CatchUpPolicy all = new CatchUpPolicy(CatchUpPolicy.Mode.ALL, Duration.ofDays(1), 1_000);
    for (int i = 0; i < 3; i++) {
      Duration every = Duration.ofSeconds(random.nextInt(2, 30));
      schedules.add(create(new ScheduleName("s-" + i), every, all));
    }
    List<CallAnswer<List<TaskId>>> scheduled = new ArrayList<>();
    for (int round = 0; round < 150; round++) {
      Node one = nodes.get(random.nextInt(2));
      scheduled.add(one.schedule(world.dueIn(Duration.ofMillis(random.nextLong(60_000)), HANDLER)));
      for (int polls = random.nextInt(5); polls > 0; polls--) {
        nodes.get(random.nextInt(2)).poll();
        world.crank.pass(Duration.ofMillis(random.nextLong(3)));
      }
      nodes.forEach(this::perform);
      world.pass(Duration.ofMillis(random.nextLong(3_000)), nodes.toArray(Node[]::new));
    }
    schedules.forEach(schedule -> edges.getFirst().pause(schedule.name(), ""));
    for (int round = 0; round < 100; round++) {
      world.pass(Duration.ofSeconds(1), nodes.toArray(Node[]::new));
      nodes.forEach(Node::poll);
      nodes.forEach(this::perform);
    }

    assertThat(performed.values()).as("seed %s", seed).containsOnly(1);
    scheduled.forEach(told -> assertThat(performed).containsKey(told.get().getFirst()));
    schedules.forEach(this::everyFireTimeWasPerformed);
  }

  private static RandomGenerator random(long seed) {
    return RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
  }

  /** The worker of a node asks, or does what it has been given. */
  private void perform(Node node) {
    CallAnswer<List<ClaimedTask>> told = asked.computeIfAbsent(node, one -> one.ask(100, HANDLER));
    if (told.isAnswered()) {
      asked.remove(node);
      for (ClaimedTask work : told.get()) {
        performed.merge(work.task().id(), 1, Integer::sum);
        node.report(work.task(), new AttemptOutcome.Succeeded());
      }
    }
  }

  private void everyFireTimeWasPerformed(Schedule made) {
    Instant decidedTo = store.find(made.name()).orElseThrow().progress().decidedTo();
    Duration every = Duration.parse(made.definition().rule().text());
    long times = Duration.between(made.createdAt(), decidedTo).dividedBy(every);
    List<LedgerEntry> ledger = ledger(made.name());
    assertThat(ledger).hasSize((int) times).allMatch(LedgerEntry::isFired);
    ledger.forEach(entry -> assertThat(performed).containsKey(entry.run()));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void ph36_messages_of_polled_nodes_come_out_once(long seed) {
    RandomGenerator random = random(seed);
    HandCrankedCluster cluster = new HandCrankedCluster(DelayConfig.defaults());
    cluster.loopsInside = false;
    cluster.startNode();
    cluster.startNode();
    List<String> submitted = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      submitted.add("m" + i);
      cluster.submit("m" + i, Duration.ofMillis(random.nextLong(120_000)), random.nextInt(4));
    }

    for (int round = 0; round < 40; round++) {
      for (int polls = random.nextInt(1, 4); polls > 0; polls--) {
        cluster.pollings.get(random.nextInt(2)).poll(_ -> {});
        cluster.time.pass(Duration.ofMillis(random.nextLong(3)));
      }
      cluster.time.pass(Duration.ofMillis(random.nextLong(8_000)));
    }
    cluster.pollings.forEach(polling -> polling.poll(_ -> {}));
    cluster.time.pass(Duration.ofMinutes(1));

    assertThat(cluster.published(HandCrankedCluster.OUT))
        .as("seed %s", seed)
        .containsExactlyInAnyOrderElementsOf(submitted);
    assertThat(cluster.suspected).isEmpty();
  }

  @Test
  void rounds_of_the_delay_queue_say_how_many_messages_they_moved() {
    CrankedWorld topics = new CrankedWorld();
    topics.createTopics("r", 1);
    CrankedNode first = topics.node("r").begin();
    topics.send("r", "k", "kairos-id", "a", "kairos-delay", "60000");
    topics.send("r", "k", "kairos-id", "b", "kairos-delay", "60000");
    first.takeIn("r");
    assertThat(first.crank("claim").done()).isZero();

    first.live(Duration.ofSeconds(40));
    assertThat(first.crank("claim").done()).isEqualTo(2);
    assertThat(first.crank("claim").done()).isZero();

    first.life.end();
    CrankedNode second = topics.node("r").begin();
    assertThat(second.crank("takeover").done()).isEqualTo(2);
    assertThat(second.crank("takeover").done()).isZero();
  }
}
