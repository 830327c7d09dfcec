package io.kairos.contracts;

import static io.kairos.contracts.ScheduleDeciders.situation;
import static io.kairos.contracts.ScheduleDeciders.writeOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kairos.domain.node.NodeId;
import io.kairos.domain.pool.PushRequest;
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
import io.kairos.domain.schedule.definition.ScheduleStep;
import io.kairos.domain.schedule.definition.ScheduleTarget;
import io.kairos.domain.schedule.fire.ExecutionIds;
import io.kairos.domain.schedule.fire.LastRun;
import io.kairos.domain.schedule.fire.LedgerEntry;
import io.kairos.domain.schedule.fire.RuleTimetable;
import io.kairos.domain.schedule.fire.ScheduleDecision;
import io.kairos.domain.schedule.fire.ScheduleRevision;
import io.kairos.domain.schedule.fire.SkipCause;
import io.kairos.domain.task.Fairness;
import io.kairos.domain.task.FencedTask;
import io.kairos.domain.task.OrderingKey;
import io.kairos.domain.task.RetryPolicy;
import io.kairos.domain.task.TaskDetails;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.TaskState;
import io.kairos.domain.task.graph.OnFailure;
import io.kairos.domain.task.queue.CollectionName;
import io.kairos.domain.task.queue.HandlerName;
import io.kairos.domain.task.queue.PoolName;
import io.kairos.domain.task.queue.QueueId;
import io.kairos.domain.task.queue.QueueName;
import io.kairos.domain.task.queue.TaskHandler;
import io.kairos.engine.schedule.port.CreationResult;
import io.kairos.engine.schedule.port.DueSchedule;
import io.kairos.engine.schedule.port.FireReceipt;
import io.kairos.engine.schedule.port.ScheduleFilter;
import io.kairos.engine.schedule.port.ScheduleStore;
import io.kairos.engine.schedule.port.ScheduleWrite;
import io.kairos.engine.task.port.EnqueueRequest;
import io.kairos.engine.task.port.EnqueuedTask;
import io.kairos.engine.task.port.PredecessorQuery;
import io.kairos.engine.task.port.Predecessors;
import io.kairos.engine.task.port.Settlement;
import io.kairos.engine.task.port.TaskClaim;
import io.kairos.engine.task.port.TaskStore;
import io.kairos.engine.task.port.operator.ListQuery;
import io.kairos.engine.task.port.operator.TaskGraphView;
import io.kairos.engine.task.port.operator.TaskView;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Schedules whose runs are graphs of tasks: all tasks of a run are stored or none, a run has ended
 * when all of them have, and runs that follow each other do so as a whole.
 */
public abstract class ScheduleGraphContract {
  private static final NodeId NODE = new NodeId(new UUID(1, 1));
  private static final Duration TIMEOUT = Duration.ofMinutes(10);
  private static final Duration MINUTE = Duration.ofMinutes(1);

  /** Not whole periods: a store that grows older gets fire times that it has not decided. */
  private static final Duration A_PERIOD = MINUTE.plusSeconds(1);

  private static final QueueName LOAD = new QueueName(new HandlerName("load"), 50);
  private static final QueueName CHECK = new QueueName(new HandlerName("check"), 70);
  private static final ScheduleName NIGHTLY = new ScheduleName("nightly");
  private static final int MANY = 1_000;

  private ScheduleStores stores;
  private ScheduleStore store;
  private TaskStore tasks;

  /** Stores without schedules, tasks and messages. Called before each test. */
  protected abstract ScheduleStores freshStores();

  @BeforeEach
  void start_fresh() {
    stores = freshStores();
    store = stores.schedules();
    tasks = stores.tasks();
  }

  private static ScheduleStep.After after(int index) {
    return new ScheduleStep.After(index, OnFailure.FAIL);
  }

  private static ScheduleStep check(ScheduleStep.After... after) {
    return new ScheduleStep(
        new ScheduleTarget.Handler(CHECK, TaskDetails.of("check".getBytes(StandardCharsets.UTF_8))),
        List.of(after));
  }

  /** Every minute a task and two others, of which the second waits for both. */
  private static ScheduleDefinition graph(OverlapPolicy overlap) {
    return definition(overlap, check(after(2), after(0)), check(after(0)));
  }

  private static ScheduleDefinition definition(OverlapPolicy overlap, ScheduleStep... steps) {
    return new ScheduleDefinition(
        ScheduleRule.of(ScheduleRule.Kind.EVERY, MINUTE.toString()),
        RuleBounds.NONE,
        RunSpread.NONE,
        new ScheduleTarget.Handler(LOAD, TaskDetails.of("load".getBytes(StandardCharsets.UTF_8))),
        FirePolicies.DEFAULT
            .with(overlap)
            .with(new CatchUpPolicy(CatchUpPolicy.Mode.ALL, Duration.ofHours(24), 100)),
        List.of(steps));
  }

  private Schedule create(ScheduleDefinition definition) {
    Instant now = stores.now();
    Schedule schedule =
        ScheduleRevision.begin(
                new ScheduleId(new UUID(7, 1)),
                NIGHTLY,
                definition,
                new RuleTimetable(definition.timeRule(NIGHTLY, now), Map.of()),
                now)
            .orElseThrow();
    assertThat(store.create(schedule)).isEqualTo(new CreationResult.Created());
    return schedule;
  }

  private FireReceipt fire() {
    return store.fire(NODE, MANY, TIMEOUT, ScheduleDeciders::decide);
  }

  /** Lets a period pass and fires once. */
  private TaskId fireNext() {
    stores.letPass(A_PERIOD);
    List<LedgerEntry> entries = fire().entries();
    assertThat(entries).hasSize(1);
    return Objects.requireNonNull(entries.getFirst().run());
  }

  private DueSchedule due() {
    List<DueSchedule> seen = new ArrayList<>();
    store.change(
        NODE,
        NIGHTLY,
        "",
        TIMEOUT,
        (due, _) -> {
          seen.add(due);
          return Optional.empty();
        });
    return seen.getFirst();
  }

  private TaskState state(TaskId run, int place) {
    return tasks.find(ExecutionIds.task(run, place)).map(TaskView::state).orElseThrow();
  }

  private Map<TaskId, TaskState> states(TaskId run) {
    return tasks.graph(run, MANY, MANY).states();
  }

  /** Has a worker begin a task of a run. */
  private FencedTask begin(TaskId run, int place) {
    Map<QueueId, Integer> limits =
        tasks.queues(List.of(LOAD, CHECK), null).values().stream()
            .collect(Collectors.toMap(queue -> queue, _ -> MANY));
    TaskId id = ExecutionIds.task(run, place);
    List<EnqueuedTask> due =
        tasks.enqueue(new EnqueueRequest(NODE, limits, 1L << 30, Duration.ZERO, TIMEOUT));
    EnqueuedTask task =
        due.stream().filter(one -> one.task().id().equals(id)).findFirst().orElseThrow();
    tasks.release(
        due.stream().filter(one -> one != task).map(EnqueuedTask::task).toList(), TIMEOUT);
    TaskClaim claim = new TaskClaim(task.task(), task.queue(), "worker", task.keyId());
    assertThat(tasks.claim(List.of(claim), TIMEOUT).claimed()).containsExactly(task.task());
    return task.task().next();
  }

  private void end(FencedTask processing, TaskState state) {
    tasks.settle(List.of(new Settlement.Finish(processing, state, "why")), null, Long.MAX_VALUE);
    followEnds();
  }

  private void followEnds() {
    while (tasks.followEnds(MANY) > 0) {
      // until all successors know
    }
  }

  private void perform(TaskId run, int place) {
    end(begin(run, place), TaskState.SUCCEEDED);
  }

  @Test
  void steps_come_back_as_they_were_stored() {
    TaskHandler pool = new PoolName("billing");
    ScheduleStep full =
        new ScheduleStep(
            new ScheduleTarget.Handler(
                new QueueName(pool, 3),
                TaskDetails.of(new PushRequest("POST", "/x", List.of(), new byte[] {1}).encode())
                    .withRetryPolicy(
                        new RetryPolicy(3, Duration.ofSeconds(1), 1.5, Duration.ofSeconds(9)))
                    .withExecutionTimeout(Duration.ofMinutes(5))
                    .withKey(new OrderingKey("customer 7"))
                    .withCollection(new CollectionName("night"))
                    .withFairness(new Fairness("tenant", 3))),
            List.of(
                new ScheduleStep.After(0, OnFailure.CONTINUE),
                new ScheduleStep.After(2, OnFailure.BLOCK)));
    Schedule created = create(definition(OverlapPolicy.SKIP, full, check(after(0))));

    assertThat(store.find(NIGHTLY).orElseThrow()).usingRecursiveComparison().isEqualTo(created);
    assertThat(
            store
                .list(
                    new ScheduleFilter("", null, Set.of(), null, MANY),
                    (name, why) -> {
                      throw why;
                    })
                .schedules())
        .singleElement()
        .satisfies(one ->
            assertThat(one.definition().steps())
                .extracting(step -> step.target().queue())
                .containsExactly(new QueueName(pool, 3), CHECK));
  }

  @Test
  void a_fire_stores_its_tasks_with_their_edges_and_its_ids_rise_along_them() {
    create(graph(OverlapPolicy.SKIP));

    TaskId run = fireNext();

    assertThat(states(run))
        .containsExactlyInAnyOrderEntriesOf(
            Map.of(
                run,
                TaskState.NEW,
                ExecutionIds.task(run, 1),
                TaskState.AWAITING,
                ExecutionIds.task(run, 2),
                TaskState.AWAITING));
    assertThat(tasks.graph(run, MANY, MANY).edges())
        .extracting(TaskGraphView.Edge::edge)
        .hasSize(3)
        .allMatch(edge -> edge.predecessor().compareTo(edge.successor()) < 0);
    assertThat(tasks.find(ExecutionIds.task(run, 2)).orElseThrow().queue()).isEqualTo(CHECK);
    perform(run, 0);
    perform(run, 1);
    perform(run, 2);
    assertThat(states(run).values()).containsOnly(TaskState.SUCCEEDED);
  }

  @Test
  void a_run_goes_on_until_all_of_its_tasks_have_ended() {
    create(graph(OverlapPolicy.SKIP));
    TaskId run = fireNext();
    perform(run, 0);
    perform(run, 1);

    assertThat(due().unfinished()).isEqualTo(1);
    assertThat(due().lastRun()).isNull();
    stores.letPass(A_PERIOD);
    assertThat(fire().entries()).extracting(LedgerEntry::reason).containsExactly(SkipCause.OVERLAP);
    perform(run, 2);

    assertThat(due().unfinished()).isZero();
    LastRun last = Objects.requireNonNull(due().lastRun());
    assertThat(last.state()).isEqualTo(TaskState.SUCCEEDED);
    assertThat(last.endedAt())
        .isEqualTo(tasks.find(ExecutionIds.task(run, 2)).orElseThrow().progress().finishedAt());
    fireNext();
  }

  @Test
  void a_run_has_failed_when_one_of_its_tasks_has() {
    create(definition(OverlapPolicy.SKIP, check(new ScheduleStep.After(0, OnFailure.CONTINUE))));
    TaskId run = fireNext();
    end(begin(run, 0), TaskState.DEAD);
    perform(run, 1);

    assertThat(Objects.requireNonNull(due().lastRun()).state())
        .isIn(TaskState.DEAD, TaskState.FAILED);
  }

  @Test
  void runs_in_turn_wait_for_all_tasks_of_the_run_before_and_are_graphs_of_their_own() {
    create(graph(OverlapPolicy.BUFFER_ALL));
    TaskId first = fireNext();
    stores.letPass(A_PERIOD.plus(MINUTE));
    List<LedgerEntry> two = fire().entries();
    assertThat(two).hasSize(2);
    TaskId second = Objects.requireNonNull(two.getFirst().run());
    TaskId third = Objects.requireNonNull(two.getLast().run());

    assertThat(state(second, 0)).isEqualTo(TaskState.AWAITING);
    assertThat(due().unfinished()).isEqualTo(3);
    assertThat(states(second)).hasSize(3);
    assertThat(tasks.unfinishedFrom(first, MANY).tasks()).hasSize(3);
    end(begin(first, 0), TaskState.DEAD);

    assertThat(states(first).values()).contains(TaskState.FAILED);
    assertThat(state(second, 0)).isEqualTo(TaskState.NEW);
    assertThat(state(third, 0)).isEqualTo(TaskState.AWAITING);
    assertThat(
            tasks
                .predecessors(List.of(new PredecessorQuery(second, Predecessors.MOST_ROOM)))
                .get(second))
        .isEqualTo(Predecessors.NONE);
    perform(second, 0);
    perform(second, 1);
    assertThat(state(third, 0)).isEqualTo(TaskState.AWAITING);
    perform(second, 2);
    assertThat(state(third, 0)).isEqualTo(TaskState.NEW);
  }

  private void cancel(TaskId run) {
    states(run).keySet().forEach(tasks::cancel);
    followEnds();
    assertThat(states(run).values()).containsOnly(TaskState.CANCELLED);
  }

  @Test
  void a_run_that_ends_before_it_begins_lets_nobody_pass() {
    create(graph(OverlapPolicy.BUFFER_ALL));
    TaskId first = fireNext();
    TaskId second = fireNext();
    TaskId third = fireNext();
    FencedTask performed = begin(first, 0);

    cancel(second);

    assertThat(state(third, 0)).isEqualTo(TaskState.AWAITING);
    end(performed, TaskState.DEAD);
    assertThat(state(third, 0)).isEqualTo(TaskState.NEW);
  }

  @Test
  void a_run_waits_for_the_one_that_goes_on_also_when_the_one_before_it_has_ended() {
    create(graph(OverlapPolicy.BUFFER_ONE));
    TaskId first = fireNext();
    TaskId second = fireNext();
    FencedTask performed = begin(first, 0);
    cancel(second);

    TaskId third = fireNext();

    assertThat(state(third, 0)).isEqualTo(TaskState.AWAITING);
    end(performed, TaskState.DEAD);
    assertThat(state(third, 0)).isEqualTo(TaskState.NEW);
  }

  @Test
  void a_step_that_tolerates_the_end_of_the_first_task_waits_for_the_turn_too() {
    create(
        definition(OverlapPolicy.BUFFER_ALL, check(new ScheduleStep.After(0, OnFailure.CONTINUE))));
    TaskId first = fireNext();
    TaskId second = fireNext();

    tasks.cancel(second);
    followEnds();

    assertThat(state(second, 1)).isEqualTo(TaskState.AWAITING);
    perform(first, 0);
    assertThat(state(second, 1)).isEqualTo(TaskState.AWAITING);
    perform(first, 1);
    assertThat(state(second, 1)).isEqualTo(TaskState.NEW);
  }

  @Test
  void one_run_may_wait_when_only_one_may() {
    create(graph(OverlapPolicy.BUFFER_ONE));
    fireNext();
    fireNext();
    stores.letPass(A_PERIOD);

    assertThat(fire().entries())
        .extracting(LedgerEntry::reason)
        .containsExactly(SkipCause.BUFFER_FULL);
  }

  @Test
  void a_cancel_of_others_ends_a_whole_run_and_waits_for_what_a_worker_performs() {
    create(graph(OverlapPolicy.CANCEL_OTHER));
    TaskId first = fireNext();
    FencedTask performed = begin(first, 0);

    TaskId second = fireNext();
    TaskId third = fireNext();

    assertThat(state(first, 1)).isEqualTo(TaskState.CANCELLED);
    assertThat(state(first, 2)).isEqualTo(TaskState.CANCELLED);
    assertThat(states(second).values()).containsOnly(TaskState.CANCELLED);
    assertThat(state(third, 0)).isEqualTo(TaskState.AWAITING);
    end(performed, TaskState.CANCELLED);
    assertThat(state(third, 0)).isEqualTo(TaskState.NEW);
  }

  @Test
  void what_the_ledger_has_is_not_made_again() {
    create(graph(OverlapPolicy.ALLOW_ALL));
    stores.letPass(A_PERIOD);
    List<LedgerEntry> first = fire().entries();

    FireReceipt again =
        store
            .change(
                NODE,
                NIGHTLY,
                "",
                TIMEOUT,
                (due, _) ->
                    Optional.of(writeOf(due, new ScheduleDecision(first, false, due.schedule()))))
            .orElseThrow();

    assertThat(again.entries()).isEmpty();
    assertThat(again.receipts()).isEmpty();
  }

  @Test
  void a_schedule_without_steps_any_more_waits_for_its_last_graph() {
    create(graph(OverlapPolicy.BUFFER_ALL));
    TaskId graph = fireNext();
    edit(definition(OverlapPolicy.BUFFER_ALL));
    TaskId second = fireNext();
    TaskId third = fireNext();

    assertThat(state(second, 0)).isEqualTo(TaskState.AWAITING);
    assertThat(state(third, 0)).isEqualTo(TaskState.AWAITING);
    perform(graph, 0);
    perform(graph, 1);
    perform(graph, 2);
    assertThat(tasks.find(second).orElseThrow().state()).isEqualTo(TaskState.NEW);
    begin(second, 0); // by their ordering key from now on
    assertThatThrownBy(() -> begin(third, 0)).isNotNull();
  }

  private void edit(ScheduleDefinition definition) {
    store.change(
        NODE,
        NIGHTLY,
        "",
        TIMEOUT,
        (due, now) -> {
          Schedule schedule = due.schedule();
          RuleTimetable timetable =
              new RuleTimetable(definition.timeRule(NIGHTLY, schedule.createdAt()), Map.of());
          ScheduleWrite write =
              writeOf(due, ScheduleRevision.edit(situation(due, now), definition, timetable));
          return Optional.of(write);
        });
  }

  @Test
  void tasks_of_steps_are_found_by_their_schedule() {
    create(graph(OverlapPolicy.SKIP));
    TaskId run = fireNext();
    perform(run, 0);
    ListQuery.Search search = new ListQuery.Search(null, 0, "", "", null, null, "", null, NIGHTLY);

    assertThat(
            tasks
                .list(
                    new ListQuery(
                        null,
                        null,
                        null,
                        Set.of(TaskState.values()),
                        null,
                        null,
                        null,
                        MANY,
                        search))
                .tasks())
        .extracting(TaskView::id)
        .containsExactly(ExecutionIds.task(run, 2), ExecutionIds.task(run, 1), run);
  }
}
