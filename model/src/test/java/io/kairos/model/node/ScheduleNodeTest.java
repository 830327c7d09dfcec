package io.kairos.model.node;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kairos.domain.node.NodeId;
import io.kairos.domain.pool.PushRequest;
import io.kairos.domain.schedule.RuleBounds;
import io.kairos.domain.schedule.RunSpread;
import io.kairos.domain.schedule.definition.FirePolicies;
import io.kairos.domain.schedule.definition.FiringStatus;
import io.kairos.domain.schedule.definition.OverlapPolicy;
import io.kairos.domain.schedule.definition.Schedule;
import io.kairos.domain.schedule.definition.ScheduleDecider;
import io.kairos.domain.schedule.definition.ScheduleDefinition;
import io.kairos.domain.schedule.definition.ScheduleId;
import io.kairos.domain.schedule.definition.ScheduleName;
import io.kairos.domain.schedule.definition.ScheduleRule;
import io.kairos.domain.schedule.definition.ScheduleStep;
import io.kairos.domain.schedule.definition.ScheduleTarget;
import io.kairos.domain.schedule.fire.ExecutionIds;
import io.kairos.domain.schedule.fire.LedgerEntry;
import io.kairos.domain.schedule.fire.ScheduleDecision;
import io.kairos.domain.schedule.fire.SkipCause;
import io.kairos.domain.task.AttemptOutcome;
import io.kairos.domain.task.OrderingKey;
import io.kairos.domain.task.TaskDetails;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.graph.OnFailure;
import io.kairos.domain.task.queue.HandlerName;
import io.kairos.domain.task.queue.PoolName;
import io.kairos.domain.task.queue.QueueName;
import io.kairos.domain.task.queue.TaskHandler;
import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.node.StoreUnavailable;
import io.kairos.engine.schedule.RunResult;
import io.kairos.engine.schedule.ScheduleConfig;
import io.kairos.engine.schedule.ScheduleEvents;
import io.kairos.engine.schedule.ScheduleNode;
import io.kairos.engine.schedule.SchedulePorts;
import io.kairos.engine.schedule.ScheduleResult;
import io.kairos.engine.schedule.port.DueDecider;
import io.kairos.engine.schedule.port.LedgerQuery;
import io.kairos.engine.schedule.port.NextDecision;
import io.kairos.engine.schedule.port.ScheduleStore;
import io.kairos.engine.schedule.port.ScheduleWrite;
import io.kairos.engine.task.edge.ClaimedTask;
import io.kairos.model.node.CrankedTasks.CallAnswer;
import io.kairos.model.node.CrankedTasks.Node;
import io.kairos.model.schedule.ModelScheduleStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ScheduleNodeTest {
  private static final ScheduleName NIGHTLY = new ScheduleName("nightly");
  private static final ScheduleName OTHER = new ScheduleName("other");

  private final CrankedTasks world = new CrankedTasks();
  private Duration clockIsAhead = Duration.ZERO;
  private final ScheduleStore store =
      new ModelScheduleStore(
          () -> world.crank.clock().instant().plus(clockIsAhead), world.store, _ -> {});
  private final List<ScheduleName> failed = new ArrayList<>();
  private int calls;
  private int jumps;
  private String lost = "";
  private @Nullable ScheduleName unwritable;
  private long lastId;

  private ScheduleNode on(Node node) {
    ScheduleNode schedules =
        new ScheduleNode(
            ScheduleConfig.DEFAULT,
            new SchedulePorts(
                sometimesAway(),
                world.crank::nanos,
                world.crank::wakeup,
                () -> new ScheduleId(new UUID(3, ++lastId)),
                new ToldEvents(),
                "2026a"),
            node.tasks.inlet());
    node.drive(schedules.activities());
    return schedules;
  }

  /** The call of that name takes effect, but its answer is lost. */
  private ScheduleStore sometimesAway() {
    return (ScheduleStore)
        Proxy.newProxyInstance(
            ScheduleStore.class.getClassLoader(),
            new Class<?>[] {ScheduleStore.class},
            (proxy, method, arguments) -> {
              calls++;
              try {
                Object result = method.invoke(store, refusing(arguments));
                if (method.getName().equals(lost)) {
                  lost = "";
                  throw new StoreUnavailable("lost for the test");
                }
                return result;
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  /** The store cannot write what is decided of one schedule. */
  private Object @Nullable [] refusing(Object @Nullable [] arguments) {
    if (arguments == null || !(arguments[arguments.length - 1] instanceof DueDecider decider)) {
      return arguments;
    }
    Object[] others = arguments.clone();
    DueDecider refusing =
        (due, now) -> {
          List<ScheduleWrite> deeds = decider.decide(due, now);
          if (deeds.stream().anyMatch(one -> one.verdict().after().name().equals(unwritable))) {
            throw new StoreUnavailable("cannot be written, for the test");
          }
          return deeds;
        };
    others[others.length - 1] = refusing;
    return others;
  }

  private final class ToldEvents implements ScheduleEvents {
    @Override
    public void decided(List<LedgerEntry> entries) {
      // seen in the ledger
    }

    @Override
    public void failed(ScheduleName schedule, RuntimeException why) {
      failed.add(schedule);
    }

    @Override
    public void clockJumped(Duration by) {
      jumps++;
    }

    @Override
    public void clockBelieved() {
      jumps = -jumps;
    }
  }

  private static ScheduleDefinition everyMinute(OverlapPolicy overlap) {
    return rule(ScheduleRule.of(ScheduleRule.Kind.EVERY, "PT1M"), overlap);
  }

  private static ScheduleDefinition rule(ScheduleRule rule, OverlapPolicy overlap) {
    return definition(rule, overlap, new HandlerName("report"), new byte[] {7});
  }

  private static ScheduleDefinition definition(
      ScheduleRule rule, OverlapPolicy overlap, TaskHandler handler, byte[] payload) {
    return new ScheduleDefinition(
        rule,
        RuleBounds.NONE,
        RunSpread.NONE,
        new ScheduleTarget.Handler(
            new QueueName(handler, QueueName.DEFAULT), TaskDetails.of(payload)),
        FirePolicies.DEFAULT.with(overlap));
  }

  private static Schedule done(ScheduleResult result) {
    assertThat(result).isInstanceOf(ScheduleResult.Done.class);
    return ((ScheduleResult.Done) result).schedule();
  }

  private List<LedgerEntry> ledger(ScheduleName name) {
    Schedule schedule = store.find(name).orElseThrow();
    return store.fires(LedgerQuery.latest(schedule.id(), 1_000));
  }

  private static List<LedgerEntry> decided(RunResult result) {
    assertThat(result).isInstanceOf(RunResult.Decided.class);
    return ((RunResult.Decided) result).entries();
  }

  @Test // DA-L2, DA-F1, PD-L11
  void ph13_a_worker_that_waits_gets_the_run_at_its_fire_time() {
    Node node = world.node();
    ScheduleNode schedules = on(node);
    Schedule schedule = done(schedules.create(NIGHTLY, everyMinute(OverlapPolicy.SKIP)));
    world.pass(Duration.ofSeconds(58), node);
    CallAnswer<List<ClaimedTask>> told = node.ask(10, "report");
    world.pass(Duration.ofMillis(1_990), node);
    assertThat(told.isAnswered()).isFalse();

    world.pass(Duration.ofMillis(20), node);

    ClaimedTask work = told.get().getFirst();
    Instant fireAt = schedule.createdAt().plusSeconds(60);
    assertThat(work.task().id()).isEqualTo(ExecutionIds.of(schedule.id(), fireAt, ""));
    assertThat(ledger(NIGHTLY)).hasSize(1);
  }

  @Test
  void a_run_goes_on_to_a_waiting_worker_without_the_store_consumer() {
    Node node = world.node();
    ScheduleNode schedules = on(node);
    done(schedules.create(NIGHTLY, everyMinute(OverlapPolicy.SKIP)));
    CallAnswer<List<ClaimedTask>> first = node.ask(10, "report");
    world.pass(Duration.ofSeconds(61), node);
    node.report(first.get().getFirst().task(), new AttemptOutcome.Succeeded());
    int before = world.movedToMemory;
    CallAnswer<List<ClaimedTask>> second = node.ask(10, "report");

    world.pass(Duration.ofSeconds(60), node);

    assertThat(second.get()).hasSize(1);
    assertThat(world.movedToMemory).isEqualTo(before);
  }

  /** Each run has two more tasks, one after the other. */
  private static ScheduleDefinition inThreeSteps(OverlapPolicy overlap) {
    ScheduleDefinition first = everyMinute(overlap);
    ScheduleTarget.Handler target = (ScheduleTarget.Handler) first.target();
    return new ScheduleDefinition(
        first.rule(),
        first.bounds(),
        first.spread(),
        target,
        first.policies(),
        List.of(
            new ScheduleStep(target, List.of(new ScheduleStep.After(2, OnFailure.FAIL))),
            new ScheduleStep(target, List.of(new ScheduleStep.After(0, OnFailure.FAIL)))));
  }

  @Test
  void a_run_of_several_tasks_is_performed_along_its_edges_and_made_once_for_a_request() {
    Node node = world.node();
    ScheduleNode schedules = on(node);
    done(schedules.create(NIGHTLY, inThreeSteps(OverlapPolicy.SKIP)));
    List<LedgerEntry> made = decided(schedules.trigger(NIGHTLY, "r-1", null));
    TaskId run = requireNonNull(made.getFirst().run());

    for (int place = 0; place < 3; place++) {
      assertThat(decided(schedules.trigger(NIGHTLY, "during " + place, null)))
          .extracting(LedgerEntry::reason)
          .containsExactly(SkipCause.OVERLAP);
      CallAnswer<List<ClaimedTask>> told = node.ask(10, "report");
      world.pass(Duration.ofSeconds(1), node);
      ClaimedTask work = told.get().getFirst();
      assertThat(work.task().id()).isEqualTo(ExecutionIds.task(run, place));
      assertThat(work.predecessors().some()).hasSize(place == 0 ? 0 : 1);
      node.report(work.task(), new AttemptOutcome.Succeeded());
    }

    assertThat(decided(schedules.trigger(NIGHTLY, "r-1", null))).isEqualTo(made);
    assertThat(decided(schedules.trigger(NIGHTLY, "r-2", null))).allMatch(LedgerEntry::isFired);
  }

  @Test
  void a_backfill_of_runs_of_several_tasks_makes_as_many_tasks_as_others() {
    Node node = world.node();
    ScheduleNode schedules = on(node);
    Schedule schedule = done(schedules.create(NIGHTLY, inThreeSteps(OverlapPolicy.ALLOW_ALL)));
    world.pass(Duration.ofHours(6), node);
    Instant from = schedule.createdAt();

    assertThat(
            schedules.backfill(NIGHTLY, from, from.plus(Duration.ofMinutes(340)), "too many", null))
        .isEqualTo(new RunResult.TooMany(333));
    assertThat(
            decided(
                schedules.backfill(
                    NIGHTLY, from, from.plus(Duration.ofMinutes(300)), "some", null)))
        .hasSize(301);
  }

  @Test
  void ph34_any_number_of_nodes_fires_once() {
    Node one = world.node();
    Node two = world.node();
    ScheduleNode schedules = on(one);
    on(two);
    done(schedules.create(NIGHTLY, everyMinute(OverlapPolicy.ALLOW_ALL)));

    world.pass(Duration.ofSeconds(185), one, two);

    assertThat(ledger(NIGHTLY)).hasSize(3).allMatch(LedgerEntry::isFired);
  }

  @Test // PH-4
  void ph22_a_node_that_dies_is_no_reason_to_skip() {
    Node one = world.node();
    Node two = world.node();
    ScheduleNode schedules = on(one);
    on(two);
    done(schedules.create(NIGHTLY, everyMinute(OverlapPolicy.ALLOW_ALL)));
    world.pass(Duration.ofSeconds(30), one, two);

    one.die();
    world.pass(Duration.ofSeconds(31), two);

    assertThat(ledger(NIGHTLY)).hasSize(1).allMatch(LedgerEntry::isFired);
  }

  @Test // PH-L4
  void ph14_c5_an_outage_of_a_year_is_one_run_and_one_line() {
    Node node = world.node();
    ScheduleNode schedules = on(node);
    done(schedules.create(NIGHTLY, everyMinute(OverlapPolicy.SKIP)));
    clockIsAhead = Duration.ofDays(365);

    world.pass(Duration.ofSeconds(95), node);

    assertThat(ledger(NIGHTLY).stream().filter(LedgerEntry::isFired)).hasSizeBetween(1, 2);
    assertThat(ledger(NIGHTLY)).hasSizeLessThan(5);
  }

  @Test
  void a_clock_that_jumps_forward_fires_nothing_until_it_is_believed() {
    Node node = world.node();
    ScheduleNode schedules = on(node);
    done(schedules.create(NIGHTLY, everyMinute(OverlapPolicy.ALLOW_ALL)));
    world.pass(Duration.ofSeconds(61), node);
    assertThat(ledger(NIGHTLY)).hasSize(1);

    clockIsAhead = Duration.ofHours(1);
    world.pass(Duration.ofSeconds(28), node);
    assertThat(ledger(NIGHTLY)).hasSize(1);
    assertThat(jumps).isEqualTo(1);
    clockIsAhead = Duration.ZERO;
    world.pass(Duration.ofSeconds(60), node);

    assertThat(ledger(NIGHTLY)).hasSize(2);
    assertThat(jumps).isEqualTo(-1);
  }

  @Test
  void a_clock_that_drifts_is_no_clock_that_jumps() {
    Node node = world.node();
    ScheduleNode schedules = on(node);
    done(
        schedules.create(
            NIGHTLY,
            rule(ScheduleRule.of(ScheduleRule.Kind.EVERY, "PT20M"), OverlapPolicy.ALLOW_ALL)));
    for (int i = 0; i < 119; i++) {
      world.pass(Duration.ofSeconds(10), node);
      clockIsAhead = clockIsAhead.plusMillis(100);
    }

    assertThat(ledger(NIGHTLY)).hasSize(1);
    assertThat(jumps).isZero();
  }

  @Test
  void each_request_without_an_id_has_one_of_its_own() {
    ScheduleNode schedules = on(world.node());

    assertThat(schedules.newRequest()).isNotEqualTo(schedules.newRequest());
  }

  @Test // PH-19
  void ph18_a_schedule_that_cannot_be_decided_does_not_stop_the_others() {
    Node node = world.node();
    ScheduleNode schedules = on(node);
    Schedule broken = done(schedules.create(NIGHTLY, everyMinute(OverlapPolicy.ALLOW_ALL)));
    done(schedules.create(OTHER, everyMinute(OverlapPolicy.ALLOW_ALL)));
    replaceRule(broken, ScheduleRule.of(ScheduleRule.Kind.CRON, "no expression"));

    world.pass(Duration.ofSeconds(61), node);

    assertThat(ledger(OTHER)).hasSize(1);
    assertThat(failed).containsOnly(NIGHTLY);
    assertThat(done(schedules.pause(NIGHTLY, "")).progress().status())
        .isEqualTo(FiringStatus.PAUSED);
    assertThat(schedules.delete(NIGHTLY)).isTrue();
    assertThat(schedules.delete(NIGHTLY)).isFalse();
  }

  @Test
  void ph18_a_schedule_that_cannot_be_written_is_found_and_does_not_stop_the_others() {
    Node node = world.node();
    ScheduleNode schedules = on(node);
    done(schedules.create(NIGHTLY, everyMinute(OverlapPolicy.ALLOW_ALL)));
    done(schedules.create(OTHER, everyMinute(OverlapPolicy.ALLOW_ALL)));
    unwritable = NIGHTLY;

    world.pass(Duration.ofSeconds(63), node);

    assertThat(ledger(OTHER)).hasSize(1);
    assertThat(ledger(NIGHTLY)).isEmpty();
    assertThat(failed).containsOnly(NIGHTLY);
    unwritable = null;
    world.pass(Duration.ofSeconds(35), node);
    assertThat(ledger(NIGHTLY)).singleElement().matches(LedgerEntry::isFired);
  }

  @Test
  void a_store_that_was_away_for_a_moment_makes_nobody_late() {
    Node node = world.node();
    ScheduleNode schedules = on(node);
    done(schedules.create(NIGHTLY, everyMinute(OverlapPolicy.ALLOW_ALL)));
    world.pass(Duration.ofSeconds(59), node);
    unwritable = NIGHTLY;
    world.pass(Duration.ofMillis(1_020), node);
    unwritable = null;

    world.pass(Duration.ofSeconds(1), node);

    assertThat(ledger(NIGHTLY)).hasSize(1);
    assertThat(failed).isEmpty();
  }

  /** As an older version, or somebody's hand in the database, may have left it. */
  @Test // PH-3, PH-L2
  void thousands_of_schedules_of_one_minute_run_once_each() {
    Node node = world.node();
    ScheduleNode schedules = on(node);
    for (int i = 0; i < 3_000; i++) {
      done(schedules.create(new ScheduleName("job-" + i), everyMinute(OverlapPolicy.SKIP)));
    }

    world.pass(Duration.ofSeconds(65), node);

    for (int i = 0; i < 3_000; i++) {
      assertThat(ledger(new ScheduleName("job-" + i))).hasSize(1);
    }
    assertThat(failed).isEmpty();
  }

  private void replaceRule(Schedule schedule, ScheduleRule rule) {
    store.change(
        new NodeId(new UUID(9, 9)),
        schedule.name(),
        "",
        Duration.ofMinutes(1),
        (due, now) ->
            Optional.of(
                new ScheduleWrite(
                    new ScheduleDecision(
                        List.of(),
                        false,
                        new Schedule(
                            schedule.id(),
                            schedule.name(),
                            rule(rule, OverlapPolicy.ALLOW_ALL),
                            2,
                            schedule.createdAt(),
                            now,
                            due.schedule().progress())),
                    List.of(),
                    List.of(),
                    "other rules",
                    false)));
  }

  @Test
  void what_fired_although_the_answer_was_lost_is_not_fired_again() {
    Node node = world.node();
    ScheduleNode schedules = on(node);
    done(schedules.create(NIGHTLY, everyMinute(OverlapPolicy.ALLOW_ALL)));
    CallAnswer<List<ClaimedTask>> told = node.ask(10, "report");
    lost = "fire";

    world.pass(Duration.ofSeconds(62), node);

    assertThat(ledger(NIGHTLY)).hasSize(1);
    // In this node's name, but not in its memory: taken back by the enqueue timeout.
    world.pass(Duration.ofSeconds(130), node);
    CallAnswer<List<ClaimedTask>> more = node.ask(10, "report");
    world.pass(Duration.ofSeconds(2), node);
    List<ClaimedTask> works = new ArrayList<>(told.get());
    works.addAll(more.get());
    assertThat(works)
        .extracting(work -> work.task().id())
        .contains(ledger(NIGHTLY).getLast().run());
  }

  @Test
  void idle_schedules_cost_one_question_a_second() {
    Node node = world.node();
    ScheduleNode schedules = on(node);
    for (int i = 0; i < 100; i++) {
      done(
          schedules.create(
              new ScheduleName("s-" + i),
              rule(ScheduleRule.of(ScheduleRule.Kind.CRON, "0 0 1 1 *"), OverlapPolicy.SKIP)));
    }
    world.pass(Duration.ofSeconds(2), node);
    int before = calls;

    world.pass(Duration.ofSeconds(60), node);

    assertThat(calls - before).isLessThanOrEqualTo(65);
  }

  @Test
  void overlap_skip_waits_for_the_end_of_the_run() {
    Node node = world.node();
    ScheduleNode schedules = on(node);
    done(schedules.create(NIGHTLY, everyMinute(OverlapPolicy.SKIP)));
    CallAnswer<List<ClaimedTask>> told = node.ask(10, "report");
    world.pass(Duration.ofSeconds(61), node);
    ClaimedTask work = told.get().getFirst();
    node.beat(work.task());

    for (int i = 0; i < 30; i++) {
      world.pass(Duration.ofSeconds(2), node);
      node.beat(work.task());
    }
    node.report(work.task(), new AttemptOutcome.Succeeded());
    world.pass(Duration.ofSeconds(60), node);

    assertThat(ledger(NIGHTLY).reversed())
        .extracting(LedgerEntry::reason)
        .containsExactly(null, SkipCause.OVERLAP, null);
  }

  @Test
  void a_request_id_runs_once() {
    ScheduleNode schedules = on(world.node());
    done(schedules.create(NIGHTLY, everyMinute(OverlapPolicy.ALLOW_ALL)));

    RunResult first = schedules.trigger(NIGHTLY, "r-1", null);
    RunResult again = schedules.trigger(NIGHTLY, "r-1", null);

    assertThat(decided(first)).hasSize(1).isEqualTo(decided(again));
    assertThat(((RunResult.Decided) again).known()).isTrue();
    TaskId run = Objects.requireNonNull(decided(first).getFirst().run());
    assertThat(world.store.find(run)).isPresent();
    assertThat(schedules.trigger(OTHER, "r-1", null)).isEqualTo(new RunResult.Unknown());
    assertThatThrownBy(() -> schedules.trigger(NIGHTLY, "", null))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void an_applications_own_key_stays_that_of_runs_that_are_asked_for() {
    ScheduleNode schedules = on(world.node());
    OrderingKey key = new OrderingKey("account 7");
    ScheduleDefinition plain = everyMinute(OverlapPolicy.ALLOW_ALL);
    done(
        schedules.create(
            NIGHTLY,
            new ScheduleDefinition(
                plain.rule(),
                plain.bounds(),
                plain.spread(),
                new ScheduleTarget.Handler(
                    new QueueName(new HandlerName("report"), QueueName.DEFAULT),
                    TaskDetails.of(new byte[0]).withKey(key)),
                plain.policies())));

    RunResult result = schedules.trigger(NIGHTLY, "r-1", OverlapPolicy.BUFFER_ALL);

    TaskId run = Objects.requireNonNull(decided(result).getFirst().run());
    assertThat(world.store.find(run).orElseThrow().details().key()).isEqualTo(key);
  }

  @Test
  void a_request_to_a_pool_says_of_which_fire_it_is() {
    ScheduleNode schedules = on(world.node());
    byte[] request = new PushRequest("PUT", "/x", List.of(), new byte[] {7}).encode();
    done(
        schedules.create(
            NIGHTLY,
            definition(
                ScheduleRule.of(ScheduleRule.Kind.EVERY, "PT1M"),
                OverlapPolicy.SKIP,
                new PoolName("workers"),
                request)));

    LedgerEntry fired = decided(schedules.trigger(NIGHTLY, "r-1", null)).getFirst();

    TaskId run = Objects.requireNonNull(fired.run());
    byte[] payload =
        Objects.requireNonNull(world.store.find(run).orElseThrow().details().payload());
    PushRequest sent = PushRequest.decode(payload);
    assertThat(sent.method()).isEqualTo("PUT");
    assertThat(sent.body()).containsExactly(7);
    assertThat(sent.fire())
        .isEqualTo(new PushRequest.Fire("nightly", EpochMicros.of(fired.fireAt())));
  }

  @Test
  void a_backfill_runs_a_range_once_and_only_what_has_passed() {
    Node node = world.node();
    ScheduleNode schedules = on(node);
    Schedule schedule = done(schedules.create(NIGHTLY, everyMinute(OverlapPolicy.SKIP)));
    world.pass(Duration.ofMinutes(5), node);
    Instant from = schedule.createdAt();

    RunResult first = schedules.backfill(NIGHTLY, from, from.plusSeconds(150), "b-1", null);
    RunResult again = schedules.backfill(NIGHTLY, from, from.plusSeconds(150), "b-1", null);

    // A fixed rate that begins with its schedule names the creation as well.
    assertThat(decided(first)).isNotEmpty().allMatch(LedgerEntry::isFired);
    assertThat(decided(again)).isEqualTo(decided(first));
    assertThat(schedules.backfill(NIGHTLY, from, from.plusSeconds(9_999), "b-2", null))
        .isEqualTo(new RunResult.NotPassed());
  }

  @Test // PH-7
  void ph15_an_edit_needs_the_generation_that_it_was_made_for() {
    ScheduleNode schedules = on(world.node());
    done(schedules.create(NIGHTLY, everyMinute(OverlapPolicy.SKIP)));
    ScheduleDefinition hourly =
        rule(ScheduleRule.of(ScheduleRule.Kind.EVERY, "PT1H"), OverlapPolicy.SKIP);

    assertThat(schedules.update(NIGHTLY, 7L, hourly)).isEqualTo(new ScheduleResult.Changed(1));
    assertThat(done(schedules.update(NIGHTLY, 1L, hourly)).generation()).isEqualTo(2);
    assertThat(
            schedules.update(
                NIGHTLY,
                null,
                rule(
                    ScheduleRule.of(ScheduleRule.Kind.AT, "2020-01-01T00:00:00Z"),
                    OverlapPolicy.SKIP)))
        .isEqualTo(new ScheduleResult.NeverFires());
    assertThat(schedules.update(OTHER, null, hourly)).isEqualTo(new ScheduleResult.Unknown());
  }

  @Test
  void ph20_a_paused_schedule_skips_what_passes_and_goes_on_when_it_is_resumed() {
    Node node = world.node();
    ScheduleNode schedules = on(node);
    done(schedules.create(NIGHTLY, everyMinute(OverlapPolicy.ALLOW_ALL)));
    assertThat(done(schedules.pause(NIGHTLY, "why")).progress().status())
        .isEqualTo(FiringStatus.PAUSED);
    world.pass(Duration.ofSeconds(200), node);
    assertThat(ledger(NIGHTLY)).isEmpty();

    done(schedules.resume(NIGHTLY));
    world.pass(Duration.ofSeconds(60), node);

    assertThat(ledger(NIGHTLY))
        .extracting(LedgerEntry::reason)
        .containsExactly(null, SkipCause.PAUSED);
  }

  @Test
  void a_name_is_taken_once_and_what_never_fires_is_not_stored() {
    ScheduleNode schedules = on(world.node());
    done(schedules.create(NIGHTLY, everyMinute(OverlapPolicy.SKIP)));

    assertThat(schedules.create(NIGHTLY, everyMinute(OverlapPolicy.SKIP)))
        .isEqualTo(new ScheduleResult.NameTaken());
    assertThat(
            schedules.create(
                OTHER,
                rule(
                    ScheduleRule.of(ScheduleRule.Kind.AT, "2020-01-01T00:00:00Z"),
                    OverlapPolicy.SKIP)))
        .isEqualTo(new ScheduleResult.NeverFires());
    assertThat(store.find(OTHER)).isEmpty();
  }

  private static ScheduleDefinition replicated() {
    ScheduleDefinition was = everyMinute(OverlapPolicy.ALLOW_ALL);
    return new ScheduleDefinition(
        was.rule(),
        was.bounds(),
        was.spread(),
        was.target(),
        was.policies().with(ScheduleDecider.REPLICATED));
  }

  private NextDecision decideDue(ScheduleNode schedules, Instant upTo) {
    return schedules.decideDue(List.of(NIGHTLY, OTHER), upTo).stream()
        .filter(one -> one.name().equals(NIGHTLY))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void what_a_replicated_cron_decides_waits_for_it_and_gets_to_the_worker_at_once() {
    Node node = world.node();
    ScheduleNode schedules = on(node);
    Schedule schedule = done(schedules.create(NIGHTLY, replicated()));
    Instant fireAt = schedule.createdAt().plusSeconds(60);
    CallAnswer<List<ClaimedTask>> told = node.ask(10, "report");
    world.pass(Duration.ofSeconds(63), node);
    assertThat(ledger(NIGHTLY)).isEmpty();

    assertThat(decideDue(schedules, fireAt.minusMillis(1)).nextAt()).isEqualTo(fireAt);
    NextDecision after = decideDue(schedules, fireAt.plusMillis(10));
    decideDue(schedules, fireAt.plusMillis(10));

    world.pass(Duration.ofMillis(10), node);
    assertThat(after)
        .isEqualTo(new NextDecision(NIGHTLY, ScheduleDecider.REPLICATED, fireAt.plusSeconds(60)));
    assertThat(told.get().getFirst().task().id())
        .isEqualTo(ExecutionIds.of(schedule.id(), fireAt, ""));
    assertThat(ledger(NIGHTLY))
        .singleElement()
        .satisfies(entry -> assertThat(entry.late()).as("by the store's clock").hasSeconds(3));
  }

  @Test
  void agreed_time_ahead_of_the_stores_clock_decides_nothing_beyond_the_bound() {
    Node node = world.node();
    ScheduleNode schedules = on(node);
    done(schedules.create(NIGHTLY, replicated()));
    world.pass(Duration.ofSeconds(59), node);

    assertThatThrownBy(() -> decideDue(schedules, store.now().plusMillis(1_100)))
        .isInstanceOf(StoreUnavailable.class)
        .hasMessageContaining("ahead of the store's clock");
    assertThat(ledger(NIGHTLY)).isEmpty();
    world.pass(Duration.ofMillis(600), node);
    decideDue(schedules, store.now().plusMillis(500));
    assertThat(ledger(NIGHTLY)).hasSize(1);
  }

  @Test
  void a_store_whose_clock_has_jumped_keeps_a_replicated_cron_waiting_no_moment() {
    Node node = world.node();
    ScheduleNode schedules = on(node);
    Schedule schedule = done(schedules.create(NIGHTLY, replicated()));
    world.pass(Duration.ofSeconds(61), node);
    clockIsAhead = Duration.ofHours(1);
    world.pass(Duration.ofSeconds(2), node);
    assertThat(jumps).isEqualTo(1);

    decideDue(schedules, schedule.createdAt().plusSeconds(63));

    assertThat(ledger(NIGHTLY)).singleElement().matches(LedgerEntry::isFired);
    assertThat(store.find(NIGHTLY).orElseThrow().progress().decidedTo())
        .isEqualTo(schedule.createdAt().plusSeconds(63));
  }

  @Test
  void while_no_replica_runs_nothing_fires_and_then_catch_up_decides() {
    Node node = world.node();
    ScheduleNode schedules = on(node);
    done(schedules.create(NIGHTLY, replicated()));
    world.pass(Duration.ofSeconds(330), node);
    assertThat(ledger(NIGHTLY)).isEmpty();

    decideDue(schedules, store.now());

    assertThat(ledger(NIGHTLY)).hasSize(2);
    assertThat(ledger(NIGHTLY).getFirst()).matches(LedgerEntry::isFired);
    assertThat(ledger(NIGHTLY).getLast().reason()).isEqualTo(SkipCause.SUPERSEDED);
  }

  @Test
  void an_edit_hands_a_schedule_over_and_back_and_nothing_is_lost_or_doubled() {
    Node node = world.node();
    ScheduleNode schedules = on(node);
    Schedule schedule = done(schedules.create(NIGHTLY, everyMinute(OverlapPolicy.ALLOW_ALL)));
    world.pass(Duration.ofSeconds(61), node);
    done(schedules.update(NIGHTLY, null, replicated()));
    world.pass(Duration.ofMinutes(2), node);
    decideDue(schedules, schedule.createdAt().plusSeconds(121));
    done(schedules.update(NIGHTLY, null, everyMinute(OverlapPolicy.ALLOW_ALL)));
    world.pass(Duration.ofSeconds(60), node);

    assertThat(decideDue(schedules, store.now()).decider()).isEqualTo(ScheduleDecider.NODE);
    assertThat(ledger(NIGHTLY)).hasSize(4).allMatch(LedgerEntry::isFired);
    assertThat(ledger(NIGHTLY).stream().map(entry -> entry.fireAt()))
        .containsExactlyElementsOf(
            Stream.of(240, 180, 120, 60)
                .map(seconds -> schedule.createdAt().plusSeconds(seconds))
                .toList());
  }

  @Test
  void ph18_what_cannot_be_decided_or_written_for_a_replicated_cron_stops_no_other() {
    Node node = world.node();
    ScheduleNode schedules = on(node);
    done(schedules.create(NIGHTLY, replicated()));
    done(schedules.create(OTHER, replicated()));
    unwritable = NIGHTLY;
    world.pass(Duration.ofSeconds(61), node);

    int refused = 0;
    for (int i = 0; i < 6; i++) {
      try {
        decideDue(schedules, store.now());
      } catch (StoreUnavailable e) {
        refused++;
      }
    }

    assertThat(refused).isBetween(2, 5);
    assertThat(ledger(OTHER)).hasSize(1);
    assertThat(failed).containsOnly(NIGHTLY);
    unwritable = null;
    world.pass(Duration.ofSeconds(31), node);
    decideDue(schedules, store.now());
    assertThat(ledger(NIGHTLY)).hasSize(1);
  }
}
