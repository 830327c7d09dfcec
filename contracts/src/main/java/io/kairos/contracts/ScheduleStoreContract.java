package io.kairos.contracts;

import static io.kairos.contracts.ScheduleDeciders.situation;
import static io.kairos.contracts.ScheduleDeciders.writeOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kairos.domain.delay.HeaderCodec;
import io.kairos.domain.delay.MessageHeader;
import io.kairos.domain.delay.RouteId;
import io.kairos.domain.node.NodeId;
import io.kairos.domain.pool.PushRequest;
import io.kairos.domain.schedule.ClockGap;
import io.kairos.domain.schedule.ClockOverlap;
import io.kairos.domain.schedule.RuleBounds;
import io.kairos.domain.schedule.RunSpread;
import io.kairos.domain.schedule.calendar.CalendarName;
import io.kairos.domain.schedule.calendar.CalendarText;
import io.kairos.domain.schedule.calendar.CalendarUse;
import io.kairos.domain.schedule.calendar.WorkingCalendar;
import io.kairos.domain.schedule.cron.CronDialect;
import io.kairos.domain.schedule.cron.DayMatch;
import io.kairos.domain.schedule.definition.CatchUpPolicy;
import io.kairos.domain.schedule.definition.FirePolicies;
import io.kairos.domain.schedule.definition.FiringStatus;
import io.kairos.domain.schedule.definition.OverlapPolicy;
import io.kairos.domain.schedule.definition.Schedule;
import io.kairos.domain.schedule.definition.ScheduleDecider;
import io.kairos.domain.schedule.definition.ScheduleDefinition;
import io.kairos.domain.schedule.definition.ScheduleId;
import io.kairos.domain.schedule.definition.ScheduleName;
import io.kairos.domain.schedule.definition.ScheduleRule;
import io.kairos.domain.schedule.definition.ScheduleTarget;
import io.kairos.domain.schedule.fire.DecisionInput;
import io.kairos.domain.schedule.fire.FireDecision;
import io.kairos.domain.schedule.fire.LedgerEntry;
import io.kairos.domain.schedule.fire.RuleTimetable;
import io.kairos.domain.schedule.fire.ScheduleDecision;
import io.kairos.domain.schedule.fire.ScheduleRevision;
import io.kairos.domain.schedule.fire.SkipCause;
import io.kairos.domain.schedule.fire.Timetable;
import io.kairos.domain.task.Fairness;
import io.kairos.domain.task.FencedTask;
import io.kairos.domain.task.OrderingKey;
import io.kairos.domain.task.RetryPolicy;
import io.kairos.domain.task.TaskDetails;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.TaskState;
import io.kairos.domain.task.queue.CollectionName;
import io.kairos.domain.task.queue.HandlerName;
import io.kairos.domain.task.queue.PoolName;
import io.kairos.domain.task.queue.QueueId;
import io.kairos.domain.task.queue.QueueName;
import io.kairos.domain.task.queue.TopicName;
import io.kairos.engine.schedule.port.CalendarDeletion;
import io.kairos.engine.schedule.port.CreationResult;
import io.kairos.engine.schedule.port.DueSchedule;
import io.kairos.engine.schedule.port.FireReceipt;
import io.kairos.engine.schedule.port.LedgerQuery;
import io.kairos.engine.schedule.port.NamedFiring;
import io.kairos.engine.schedule.port.NextDecision;
import io.kairos.engine.schedule.port.ScheduleChange;
import io.kairos.engine.schedule.port.ScheduleFilter;
import io.kairos.engine.schedule.port.ScheduleStore;
import io.kairos.engine.schedule.port.ScheduleWrite;
import io.kairos.engine.task.port.EnqueueRequest;
import io.kairos.engine.task.port.Settlement;
import io.kairos.engine.task.port.TaskClaim;
import io.kairos.engine.task.port.TaskStore;
import io.kairos.engine.task.port.operator.ListQuery;
import io.kairos.engine.task.port.operator.RedriveRequest;
import io.kairos.engine.task.port.operator.TaskListing;
import io.kairos.engine.task.port.operator.TaskView;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The contract of every schedule store. */
public abstract class ScheduleStoreContract {
  private static final NodeId NODE = new NodeId(new UUID(1, 1));
  private static final Duration TIMEOUT = Duration.ofMinutes(10);
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final QueueName REPORTS = new QueueName(new HandlerName("reports"), 50);
  private static final ScheduleName NIGHTLY = new ScheduleName("nightly");
  private static final CalendarName HOLIDAYS = new CalendarName("holidays");
  private static final CalendarText WORKDAYS =
      CalendarText.of(WorkingCalendar.workdaysWithout(Set.of()));
  private static final int MANY = 1_000;

  private long lastId;

  protected ScheduleStores stores;
  protected ScheduleStore store;

  /** Stores without schedules, tasks and messages. Called before each test. */
  protected abstract ScheduleStores freshStores();

  @BeforeEach
  void start_fresh() {
    stores = freshStores();
    store = stores.schedules();
  }

  private static ScheduleDefinition every(Duration period, OverlapPolicy overlap) {
    return reports(ScheduleRule.of(ScheduleRule.Kind.EVERY, period.toString()), overlap);
  }

  private static ScheduleDefinition everyMinuteOfHolidays() {
    return reports(
        new ScheduleRule(
            ScheduleRule.Kind.CRON,
            "* * * * *",
            CronDialect.UNIX,
            DayMatch.EITHER,
            "UTC",
            ClockGap.SKIP,
            ClockOverlap.FIRST,
            List.of(new CalendarUse(HOLIDAYS, CalendarUse.Kind.ONLY_DURING))),
        OverlapPolicy.ALLOW_ALL);
  }

  /** A schedule that makes tasks and catches up with every fire time of a day. */
  private static ScheduleDefinition reports(ScheduleRule rule, OverlapPolicy overlap) {
    return new ScheduleDefinition(
        rule,
        RuleBounds.NONE,
        RunSpread.NONE,
        new ScheduleTarget.Handler(REPORTS, TaskDetails.of("run".getBytes(StandardCharsets.UTF_8))),
        FirePolicies.DEFAULT
            .with(overlap)
            .with(new CatchUpPolicy(CatchUpPolicy.Mode.ALL, Duration.ofHours(24), 100)));
  }

  private static ScheduleDefinition everything() {
    return new ScheduleDefinition(
        new ScheduleRule(
            ScheduleRule.Kind.CRON,
            "0 9 * * MON-FRI",
            CronDialect.QUARTZ,
            DayMatch.BOTH,
            "Europe/Berlin",
            ClockGap.SKIP,
            ClockOverlap.BOTH,
            List.of(
                new CalendarUse(HOLIDAYS, CalendarUse.Kind.ONLY_DURING),
                new CalendarUse(HOLIDAYS, CalendarUse.Kind.WORKING_DAYS))),
        new RuleBounds(
            Instant.parse("2020-01-01T00:00:00Z"), Instant.parse("2099-01-01T00:00:00Z"), 9L),
        new RunSpread(Duration.ofMillis(1_500)),
        new ScheduleTarget.Handler(
            REPORTS,
            TaskDetails.of(new byte[] {0, 1, 2})
                .withRetryPolicy(
                    new RetryPolicy(3, Duration.ofSeconds(1), 1.5, Duration.ofSeconds(9)))
                .withExecutionTimeout(Duration.ofMinutes(5))
                .withKey(new OrderingKey("customer 7"))
                .withCollection(new CollectionName("night"))),
        new FirePolicies(
            OverlapPolicy.ALLOW_ALL,
            new CatchUpPolicy(CatchUpPolicy.Mode.NONE, Duration.ofHours(3), 7),
            Duration.ofMinutes(30),
            true,
            ScheduleDecider.NODE));
  }

  private Schedule schedule(ScheduleName name, ScheduleDefinition definition) {
    lastId++;
    Instant now = stores.now();
    return ScheduleRevision.begin(
            new ScheduleId(new UUID(7, lastId)), name, definition, timetable(definition, now), now)
        .orElseThrow();
  }

  private Timetable timetable(ScheduleDefinition definition, Instant createdAt) {
    Map<CalendarName, WorkingCalendar> calendars = new HashMap<>();
    store
        .calendars(definition.rule().calendarNames())
        .forEach(one -> calendars.put(one.name(), one.text().read()));
    return new RuleTimetable(definition.timeRule(NIGHTLY, createdAt), calendars);
  }

  private Schedule create(ScheduleName name, ScheduleDefinition definition) {
    Schedule schedule = schedule(name, definition);
    assertThat(store.create(schedule)).isEqualTo(new CreationResult.Created());
    return schedule;
  }

  private static ScheduleDefinition by(ScheduleDecider decider, ScheduleDefinition was) {
    return new ScheduleDefinition(
        was.rule(), was.bounds(), was.spread(), was.target(), was.policies().with(decider));
  }

  /** A schedule of every minute that a replicated cron decides. */
  private static ScheduleDefinition replicated() {
    return by(ScheduleDecider.REPLICATED, every(MINUTE, OverlapPolicy.ALLOW_ALL));
  }

  private FireReceipt fire(int limit) {
    return store.fire(NODE, limit, TIMEOUT, ScheduleDeciders::decide);
  }

  private FireReceipt fireNamed(Instant upTo, int limit, String... names) {
    return store.fireNamed(
        NODE,
        new NamedFiring(Stream.of(names).map(ScheduleName::new).toList(), upTo, limit),
        TIMEOUT,
        (due, _) -> ScheduleDeciders.decide(due, upTo));
  }

  private List<LedgerEntry> ledger(Schedule schedule) {
    return store.fires(LedgerQuery.latest(schedule.id(), MANY));
  }

  private Schedule found(ScheduleName name) {
    return store.find(name).orElseThrow();
  }

  @Test // PH-5
  void a_schedule_comes_back_as_it_was_stored_whatever_its_target_and_its_decider() {
    store.putCalendar(HOLIDAYS, WORKDAYS, null);

    for (ScheduleDefinition definition :
        List.of(everything(), toTopic(), by(ScheduleDecider.REPLICATED, everything()))) {
      Schedule created = create(NIGHTLY, definition);
      assertThat(found(NIGHTLY)).usingRecursiveComparison().isEqualTo(created);
      assertThat(store.discard(NIGHTLY)).isTrue();
    }
  }

  private static ScheduleDefinition toTopic() {
    return new ScheduleDefinition(
        ScheduleRule.of(ScheduleRule.Kind.EVERY, "PT1M"),
        RuleBounds.NONE,
        RunSpread.NONE,
        new ScheduleTarget.Topic(
            new RouteId(3),
            new TopicName("orders.out"),
            null,
            "v".getBytes(StandardCharsets.UTF_8),
            HeaderCodec.encode(List.of())),
        FirePolicies.DEFAULT.with(OverlapPolicy.ALLOW_ALL));
  }

  @Test
  void a_name_is_taken_once_until_its_schedule_is_deleted() {
    create(NIGHTLY, every(MINUTE, OverlapPolicy.SKIP));

    assertThat(store.create(schedule(NIGHTLY, every(MINUTE, OverlapPolicy.SKIP))))
        .isEqualTo(new CreationResult.NameTaken());
    remove(NIGHTLY);
    create(NIGHTLY, every(MINUTE, OverlapPolicy.SKIP));
  }

  private Optional<FireReceipt> change(ScheduleName name, String request, ScheduleChange change) {
    return store.change(NODE, name, request, TIMEOUT, change);
  }

  /** Writes a decision on a schedule in its situation now. */
  private FireReceipt decide(
      ScheduleName name, String request, Function<DecisionInput, ScheduleDecision> decision) {
    return change(
            name,
            request,
            (due, now) -> Optional.of(writeOf(due, decision.apply(situation(due, now)))))
        .orElseThrow();
  }

  private void remove(ScheduleName name) {
    change(
        name,
        "",
        (due, now) ->
            Optional.of(
                new ScheduleWrite(
                    ScheduleRevision.end(situation(due, now)),
                    List.of(),
                    List.of(),
                    ScheduleDeciders.TIME_ZONE_RULES,
                    true)));
  }

  @Test
  void what_is_discarded_is_gone_and_nothing_of_it_decided() {
    Schedule created = create(NIGHTLY, every(MINUTE, OverlapPolicy.SKIP));
    stores.letPass(Duration.ofMinutes(10));

    assertThat(store.discard(NIGHTLY)).isTrue();

    assertThat(store.discard(NIGHTLY)).isFalse();
    assertThat(store.find(NIGHTLY)).isEmpty();
    assertThat(ledger(created)).isEmpty();
  }

  @Test
  void a_schedule_cannot_name_a_calendar_that_there_is_not() {
    store.putCalendar(HOLIDAYS, WORKDAYS, null);
    Schedule schedule = schedule(NIGHTLY, everything());
    assertThat(store.deleteCalendar(HOLIDAYS)).isEqualTo(CalendarDeletion.DELETED);

    assertThat(store.create(schedule)).isEqualTo(new CreationResult.NoCalendar(HOLIDAYS));
    assertThat(store.find(NIGHTLY)).isEmpty();
  }

  @Test
  void ph12_nothing_is_due_before_its_time() {
    create(NIGHTLY, every(Duration.ofHours(1), OverlapPolicy.SKIP));

    assertThat(fire(MANY)).isEqualTo(FireReceipt.NOTHING);
    assertThat(store.agenda().untilNext().orElseThrow())
        .isBetween(Duration.ofMinutes(58), Duration.ofMinutes(60));
  }

  @Test
  void the_runs_of_a_schedule_name_it_and_are_found_by_it() {
    create(NIGHTLY, every(MINUTE, OverlapPolicy.ALLOW_ALL));
    stores.letPass(Duration.ofSeconds(190));
    List<TaskId> runs =
        fire(MANY).entries().stream().map(entry -> Objects.requireNonNull(entry.run())).toList();
    stores.tasks().cancel(runs.getFirst());

    TaskListing first = runsOf(NIGHTLY, null, 1);
    TaskListing all = runsOf(NIGHTLY, null, MANY);

    assertThat(all.tasks())
        .extracting(TaskView::id)
        .containsExactlyElementsOf(runs.reversed())
        .hasSize(3);
    assertThat(all.tasks()).allMatch(view -> NIGHTLY.equals(view.schedule()));
    assertThat(runsOf(NIGHTLY, first.next(), MANY).tasks())
        .extracting(TaskView::id)
        .containsExactlyElementsOf(runs.reversed().subList(1, 3));
    assertThat(runsOf(new ScheduleName("other"), null, MANY).tasks()).isEmpty();
    assertThat(store.discard(NIGHTLY)).isTrue();
    assertThat(stores.tasks().find(runs.getFirst()).orElseThrow().schedule()).isNull();
  }

  @Test
  void a_run_that_is_put_back_does_not_count_as_an_unfinished_run() {
    create(NIGHTLY, every(MINUTE, OverlapPolicy.SKIP));
    stores.letPass(Duration.ofSeconds(70));
    assertThat(fire(MANY).entries()).hasSize(1);
    TaskStore tasks = stores.tasks();
    QueueId queue = tasks.queues(Set.of(REPORTS), null).values().iterator().next();
    FencedTask run =
        tasks
            .enqueue(new EnqueueRequest(NODE, Map.of(queue, 1), 1_000, Duration.ZERO, TIMEOUT))
            .getFirst()
            .task();
    tasks.claim(List.of(new TaskClaim(run, queue, "worker", null)), TIMEOUT);
    tasks.settle(
        List.of(new Settlement.Finish(run.next(), TaskState.DEAD, "a")), null, Long.MAX_VALUE);

    RedriveRequest.Ids ids = new RedriveRequest.Ids(List.of(run.id()));
    assertThat(tasks.redrive(new RedriveRequest(ids, null, Duration.ZERO, MANY)).count())
        .isEqualTo(1);
    assertThat(runsOf(NIGHTLY, null, MANY).tasks())
        .extracting(TaskView::id)
        .as("lists have it all the same")
        .containsExactly(run.id());
    assertThat(runsOf(NIGHTLY, run.id(), MANY).tasks()).isEmpty();
    stores.letPass(Duration.ofSeconds(90));

    assertThat(tasks.find(run.id()).orElseThrow().schedule()).isNull();
    assertThat(fire(MANY).entries()).extracting(LedgerEntry::run).isNotEmpty().first().isNotNull();
    tasks.cancel(run.id());
    assertThat(runsOf(NIGHTLY, null, MANY).tasks()).extracting(TaskView::id).contains(run.id());
  }

  private TaskListing runsOf(ScheduleName name, @Nullable TaskId before, int limit) {
    ListQuery.Search search = new ListQuery.Search(null, 0, "", "", null, null, "", null, name);
    return stores
        .tasks()
        .list(
            new ListQuery(
                null, null, null, Set.of(TaskState.values()), null, null, before, limit, search));
  }

  @Test // DA-L2, DA-F1
  void ph13_what_is_due_is_decided_and_its_tasks_stored_in_one_step() {
    Schedule created = create(NIGHTLY, every(MINUTE, OverlapPolicy.ALLOW_ALL));
    stores.letPass(Duration.ofSeconds(190));

    FireReceipt fired = fire(MANY);

    assertThat(fired.schedules()).isEqualTo(1);
    assertThat(fired.entries()).hasSize(3).allMatch(LedgerEntry::isFired);
    assertThat(fired.receipts()).hasSize(3);
    assertThat(ledger(created)).containsExactlyElementsOf(fired.entries().reversed());
    for (LedgerEntry entry : fired.entries()) {
      TaskId run = Objects.requireNonNull(entry.run());
      assertThat(stores.tasks().find(run).orElseThrow().queue()).isEqualTo(REPORTS);
    }
    assertThat(found(NIGHTLY).progress().runs()).isEqualTo(3);
    assertThat(fire(MANY)).isEqualTo(FireReceipt.NOTHING);
  }

  @Test
  void c1_what_the_ledger_has_is_not_made_again() {
    Schedule created = create(NIGHTLY, every(MINUTE, OverlapPolicy.ALLOW_ALL));
    stores.letPass(Duration.ofSeconds(70));
    List<LedgerEntry> first = fire(MANY).entries();

    FireReceipt again =
        decide(NIGHTLY, "", input -> new ScheduleDecision(first, false, input.schedule()));

    assertThat(again.entries()).isEmpty();
    assertThat(again.receipts()).isEmpty();
    assertThat(ledger(created)).hasSize(1);
  }

  @Test
  void a_decider_that_throws_changes_nothing() {
    create(NIGHTLY, every(MINUTE, OverlapPolicy.ALLOW_ALL));
    stores.letPass(Duration.ofSeconds(70));
    Schedule before = found(NIGHTLY);

    assertThatThrownBy(() ->
            store.fire(
                NODE,
                MANY,
                TIMEOUT,
                (_, _) -> {
                  throw new ArithmeticException("injected");
                }))
        .isInstanceOf(ArithmeticException.class);

    assertThat(found(NIGHTLY)).usingRecursiveComparison().isEqualTo(before);
    assertThat(fire(MANY).entries()).hasSize(1);
  }

  @Test
  void at_most_so_many_are_decided_at_once_the_longest_due_first() {
    create(new ScheduleName("slow"), every(Duration.ofMinutes(3), OverlapPolicy.ALLOW_ALL));
    create(new ScheduleName("fast"), every(Duration.ofMinutes(1), OverlapPolicy.ALLOW_ALL));
    stores.letPass(Duration.ofSeconds(200));

    FireReceipt first = fire(1);

    assertThat(first.schedules()).isEqualTo(1);
    assertThat(first.entries()).hasSize(3);
    assertThat(fire(1).entries()).hasSize(1);
    assertThat(fire(1)).isEqualTo(FireReceipt.NOTHING);
  }

  @Test // PH-17
  void it_says_how_many_runs_have_not_ended_and_how_the_last_one_ended() {
    create(NIGHTLY, every(MINUTE, OverlapPolicy.ALLOW_ALL));
    stores.letPass(Duration.ofSeconds(130));
    List<LedgerEntry> fired = fire(MANY).entries();

    assertThat(look(NIGHTLY).unfinished()).isEqualTo(2);
    assertThat(look(NIGHTLY).lastRun()).isNull();
    stores.tasks().cancel(Objects.requireNonNull(fired.getLast().run()));
    assertThat(look(NIGHTLY).unfinished()).isEqualTo(1);
    assertThat(Objects.requireNonNull(look(NIGHTLY).lastRun()).state())
        .isEqualTo(TaskState.CANCELLED);
  }

  private DueSchedule look(ScheduleName name) {
    return look(name, "");
  }

  private DueSchedule look(ScheduleName name, String request) {
    List<DueSchedule> seen = new ArrayList<>();
    change(
        name,
        request,
        (due, _) -> {
          seen.add(due);
          return Optional.empty();
        });
    return seen.getFirst();
  }

  @Test
  void runs_of_buffered_schedules_wait_for_each_other() {
    create(NIGHTLY, every(MINUTE, OverlapPolicy.BUFFER_ALL));
    stores.letPass(Duration.ofSeconds(190));

    List<LedgerEntry> fired = fire(MANY).entries();

    assertThat(fired)
        .extracting(entry -> state(Objects.requireNonNull(entry.run())))
        .containsExactly(TaskState.NEW, TaskState.BLOCKED, TaskState.BLOCKED);
  }

  private TaskState state(TaskId id) {
    return stores.tasks().find(id).orElseThrow().state();
  }

  @Test
  void cancel_other_cancels_what_waits_and_lets_the_new_run_begin() {
    create(NIGHTLY, every(MINUTE, OverlapPolicy.CANCEL_OTHER));
    stores.letPass(Duration.ofSeconds(65));
    TaskId first = Objects.requireNonNull(fire(MANY).entries().getLast().run());

    FireReceipt triggered = trigger("r-1", OverlapPolicy.CANCEL_OTHER);

    TaskId second = Objects.requireNonNull(triggered.entries().getLast().run());

    assertThat(state(first)).isEqualTo(TaskState.CANCELLED);
    assertThat(state(second)).isEqualTo(TaskState.NEW);
  }

  @Test
  void a_schedule_of_a_topic_makes_messages() {
    create(NIGHTLY, toTopic());
    stores.letPass(Duration.ofSeconds(65));

    assertThat(fire(MANY).entries()).hasSize(1);
    assertThat(stores.messages()).isEqualTo(1);
  }

  @Test
  void a_request_finds_what_it_has_come_to() {
    create(NIGHTLY, every(MINUTE, OverlapPolicy.ALLOW_ALL));
    assertThat(look(NIGHTLY, "r-1").ofRequest()).isEmpty();

    FireReceipt fired = trigger("r-1", OverlapPolicy.ALLOW_ALL);

    assertThat(fired.receipts()).hasSize(1);
    assertThat(look(NIGHTLY, "r-1").ofRequest()).isEqualTo(fired.entries());
    assertThat(look(NIGHTLY, "r-2").ofRequest()).isEmpty();
  }

  private FireReceipt trigger(String request, OverlapPolicy overlap) {
    return decide(NIGHTLY, request, input -> ScheduleRevision.trigger(input, request, overlap));
  }

  @Test // PH-7
  void an_edit_is_kept_with_the_decision_on_what_was_due() {
    Schedule created = create(NIGHTLY, every(MINUTE, OverlapPolicy.ALLOW_ALL));
    stores.letPass(Duration.ofSeconds(65));
    ScheduleDefinition hourly = every(Duration.ofHours(1), OverlapPolicy.SKIP);

    edit(hourly);

    assertThat(ledger(created)).hasSize(1);
    assertThat(found(NIGHTLY).generation()).isEqualTo(2);
    assertThat(found(NIGHTLY).definition()).usingRecursiveComparison().isEqualTo(hourly);
  }

  private void edit(ScheduleDefinition definition) {
    decide(
        NIGHTLY,
        "",
        input ->
            ScheduleRevision.edit(
                input, definition, timetable(definition, input.schedule().createdAt())));
  }

  @Test
  void nodes_neither_decide_nor_wait_for_what_a_replicated_cron_decides() {
    Schedule created = create(NIGHTLY, replicated());
    stores.letPass(Duration.ofSeconds(190));

    assertThat(fire(MANY)).isEqualTo(FireReceipt.NOTHING);
    assertThat(store.agenda().nextAt()).isNull();
    assertThat(ledger(created)).isEmpty();
  }

  @Test
  void what_a_replicated_cron_decides_is_decided_up_to_its_time_and_once() {
    Schedule created = create(NIGHTLY, replicated());
    stores.letPass(Duration.ofSeconds(190));
    Instant upTo = stores.now().minusSeconds(100);

    FireReceipt first = fireNamed(upTo, MANY, "nightly");

    assertThat(first.schedules()).isEqualTo(1);
    assertThat(first.entries()).hasSize(1).allMatch(LedgerEntry::isFired);
    assertThat(first.receipts()).hasSize(1);
    assertThat(found(NIGHTLY).progress().decidedTo()).isEqualTo(upTo);
    assertThat(fireNamed(upTo, MANY, "nightly")).isEqualTo(FireReceipt.NOTHING);
    assertThat(fireNamed(stores.now(), MANY, "nightly", "nightly").entries()).hasSize(2);
    assertThat(fireNamed(upTo, MANY, "nightly")).isEqualTo(FireReceipt.NOTHING);
    assertThat(ledger(created)).hasSize(3);
  }

  @Test
  void a_replicated_cron_decides_only_what_it_names_and_what_is_its_own() {
    create(NIGHTLY, replicated());
    Schedule ofNodes = create(new ScheduleName("b"), every(MINUTE, OverlapPolicy.ALLOW_ALL));
    Schedule unnamed = create(new ScheduleName("c"), replicated());
    stores.letPass(Duration.ofSeconds(65));

    assertThat(fireNamed(stores.now(), MANY)).isEqualTo(FireReceipt.NOTHING);
    assertThat(fireNamed(stores.now(), MANY, "b", "none", "nightly").schedules()).isEqualTo(1);

    assertThat(ledger(ofNodes)).isEmpty();
    assertThat(ledger(unnamed)).isEmpty();
    assertThat(fire(MANY).schedules()).isEqualTo(1);
  }

  @Test
  void at_most_so_many_of_a_replicated_cron_are_decided_at_once_the_longest_due_first() {
    create(
        new ScheduleName("a"),
        by(ScheduleDecider.REPLICATED, every(Duration.ofMinutes(3), OverlapPolicy.ALLOW_ALL)));
    create(new ScheduleName("b"), replicated());
    stores.letPass(Duration.ofSeconds(200));
    Instant now = stores.now();

    assertThat(fireNamed(now, 1, "a", "b").entries()).hasSize(3);
    assertThat(fireNamed(now, 1, "a", "b").entries()).hasSize(1);
    assertThat(fireNamed(now, 1, "a", "b")).isEqualTo(FireReceipt.NOTHING);
  }

  @Test
  void it_is_said_who_decides_a_schedule_and_when() {
    Schedule created = create(NIGHTLY, replicated());
    Schedule ofNodes = create(new ScheduleName("b"), every(MINUTE, OverlapPolicy.SKIP));
    List<ScheduleName> names = List.of(NIGHTLY, ofNodes.name(), new ScheduleName("none"));

    assertThat(store.nextDecisions(names))
        .containsExactlyInAnyOrder(
            new NextDecision(NIGHTLY, ScheduleDecider.REPLICATED, created.progress().nextAt()),
            new NextDecision(ofNodes.name(), ScheduleDecider.NODE, ofNodes.progress().nextAt()));
    pause(NIGHTLY);
    assertThat(store.nextDecisions(List.of(NIGHTLY)))
        .containsExactly(new NextDecision(NIGHTLY, ScheduleDecider.REPLICATED, null));
    assertThat(store.nextDecisions(List.of())).isEmpty();
  }

  private void pause(ScheduleName name) {
    decide(name, "", input -> ScheduleRevision.pause(input, "why"));
  }

  @Test
  void a_schedule_goes_over_to_a_replicated_cron_and_back_and_each_fire_time_is_decided_once() {
    Schedule created = create(NIGHTLY, every(MINUTE, OverlapPolicy.ALLOW_ALL));
    stores.letPass(Duration.ofSeconds(130));

    edit(replicated());
    assertThat(ledger(created)).as("by the nodes, what was theirs").hasSize(2);
    stores.letPass(Duration.ofSeconds(130));
    assertThat(fire(MANY)).isEqualTo(FireReceipt.NOTHING);
    assertThat(fireNamed(stores.now().minusSeconds(65), MANY, "nightly").schedules()).isEqualTo(1);
    int byThen = ledger(created).size();

    edit(every(MINUTE, OverlapPolicy.ALLOW_ALL));
    assertThat(ledger(created)).as("what the cron has left").hasSizeGreaterThan(byThen);
    stores.letPass(Duration.ofSeconds(130));
    assertThat(fireNamed(stores.now(), MANY, "nightly")).isEqualTo(FireReceipt.NOTHING);
    assertThat(fire(MANY).schedules()).isEqualTo(1);

    assertThat(ledger(created)).allMatch(LedgerEntry::isFired);
    assertThat(ledger(created).stream().map(LedgerEntry::fireAt)).doesNotHaveDuplicates();
    assertThat(found(NIGHTLY).progress().runs()).isEqualTo(ledger(created).size());
  }

  @Test
  void ph18_a_schedule_of_a_replicated_cron_is_put_off_as_any() {
    create(NIGHTLY, replicated());
    stores.letPass(Duration.ofSeconds(65));

    store.putOff(found(NIGHTLY), Duration.ofHours(1));

    assertThat(fireNamed(stores.now(), MANY, "nightly")).isEqualTo(FireReceipt.NOTHING);
    stores.letPass(Duration.ofHours(1));
    assertThat(fireNamed(stores.now(), MANY, "nightly").schedules()).isEqualTo(1);
  }

  @Test
  void a_calendar_that_changes_has_a_replicated_cron_look_again() {
    putDays(300);
    create(NIGHTLY, by(ScheduleDecider.REPLICATED, everyMinuteOfHolidays()));

    putDays(0, 1);

    assertThat(store.nextDecisions(List.of(NIGHTLY)).getFirst().nextAt())
        .isBeforeOrEqualTo(stores.now());
    assertThat(fire(MANY)).isEqualTo(FireReceipt.NOTHING);
    assertThat(fireNamed(stores.now(), MANY, "nightly").schedules()).isEqualTo(1);
  }

  @Test
  void schedules_are_listed_by_who_decides_them() {
    for (String name : List.of("a", "c", "e")) {
      create(new ScheduleName(name), replicated());
    }
    for (String name : List.of("b", "d")) {
      create(new ScheduleName(name), every(MINUTE, OverlapPolicy.SKIP));
    }
    pause(new ScheduleName("c"));

    ScheduleDecider cron = ScheduleDecider.REPLICATED;
    ScheduleName a = new ScheduleName("a");
    assertThat(names("", null, Set.of(), cron, 2)).containsExactly("a", "c");
    assertThat(names("", a, Set.of(), cron, MANY)).containsExactly("c", "e");
    assertThat(names("", null, Set.of(FiringStatus.ACTIVE), cron, MANY)).containsExactly("a", "e");
    assertThat(names("e", null, Set.of(), cron, MANY)).containsExactly("e");
    assertThat(names("", null, Set.of(), ScheduleDecider.NODE, MANY)).containsExactly("b", "d");
  }

  @Test // PH-8
  void ph20_a_paused_schedule_is_not_due() {
    create(NIGHTLY, every(MINUTE, OverlapPolicy.ALLOW_ALL));
    pause(NIGHTLY);
    stores.letPass(Duration.ofSeconds(200));

    assertThat(fire(MANY)).isEqualTo(FireReceipt.NOTHING);
    assertThat(store.agenda().untilNext()).isEmpty();
    assertThat(found(NIGHTLY).progress().note()).isEqualTo("why");
  }

  @Test
  void an_unknown_schedule_is_not_changed() {
    assertThat(change(NIGHTLY, "", (_, _) -> Optional.empty())).isEmpty();
  }

  @Test
  void ph18_a_schedule_is_put_off_unless_it_has_changed() {
    create(NIGHTLY, every(MINUTE, OverlapPolicy.ALLOW_ALL));
    stores.letPass(Duration.ofSeconds(65));
    Schedule due = found(NIGHTLY);

    store.putOff(due, Duration.ofHours(1));

    assertThat(fire(MANY)).isEqualTo(FireReceipt.NOTHING);
    stores.letPass(Duration.ofHours(1));
    assertThat(fire(MANY).schedules()).isEqualTo(1);
    store.putOff(due, Duration.ZERO);
    assertThat(fire(MANY)).isEqualTo(FireReceipt.NOTHING);
  }

  @Test // PH-9
  void schedules_are_listed_by_name_and_status() {
    for (String name : List.of("b", "a/2", "a/1", "c")) {
      create(new ScheduleName(name), every(MINUTE, OverlapPolicy.SKIP));
    }
    pause(new ScheduleName("c"));

    ScheduleName a2 = new ScheduleName("a/2");
    assertThat(names("", null, Set.of(), null, 3)).containsExactly("a/1", "a/2", "b");
    assertThat(names("", a2, Set.of(), null, 3)).containsExactly("b", "c");
    assertThat(names("a/", null, Set.of(), null, 3)).containsExactly("a/1", "a/2");
    assertThat(names("", null, Set.of(FiringStatus.PAUSED), null, 3)).containsExactly("c");
    assertThat(matching("a", null, "*2", "b", "a_1")).containsExactly("a/2");
    assertThat(matching("", null, "*2", "b", "a_1")).containsExactly("a/2", "b");
    assertThat(matching("", a2, "*")).containsExactly("b", "c");
    assertThat(matching("", null, "c*", "a/*", "a/2*")).containsExactly("a/1", "a/2", "c");
    assertThat(matching("a/2", null, "c*", "a/*")).containsExactly("a/2");
    assertThat(matching("", a2, "c*", "a/*")).containsExactly("c");
  }

  @Test
  void a_list_has_no_payloads_and_a_schedule_has_a_name_by_its_id() {
    Schedule created = create(NIGHTLY, every(MINUTE, OverlapPolicy.SKIP));

    List<Schedule> listed =
        store.list(new ScheduleFilter("", null, Set.of(), null, MANY), (_, _) -> {}).schedules();

    assertThat(listed)
        .usingRecursiveComparison()
        .isEqualTo(List.of(store.find(NIGHTLY).orElseThrow().withoutPayload()));
    assertThat(created.definition().target().bytes()).isPositive();
    assertThat(listed.getFirst().definition().target().bytes()).isZero();
    assertThat(store.nameOf(created.id())).contains(NIGHTLY);
    assertThat(store.nameOf(new ScheduleId(new UUID(9, 9)))).isEmpty();
  }

  @Test
  void a_list_has_the_requests_to_pools_without_their_bodies_and_whatever_else_tasks_have() {
    TaskDetails plain = TaskDetails.of("run".getBytes(StandardCharsets.UTF_8));
    QueueName pool = new QueueName(new PoolName("shop"), 50);
    PushRequest push =
        new PushRequest(
            "PUT",
            "/x?y=1",
            List.of(new MessageHeader("a", "b".getBytes(StandardCharsets.US_ASCII))),
            new byte[] {1, 2, 3});
    Map<String, ScheduleTarget> targets =
        Map.of(
            "a-handler", new ScheduleTarget.Handler(REPORTS, plain),
            "b-fair",
                new ScheduleTarget.Handler(
                    REPORTS, plain.withFairness(new Fairness("customer 7", 3))),
            "c-pool", new ScheduleTarget.Handler(pool, TaskDetails.of(push.encode())),
            "d-damaged", new ScheduleTarget.Handler(pool, plain));
    ScheduleDefinition like = every(MINUTE, OverlapPolicy.SKIP);
    for (Map.Entry<String, ScheduleTarget> one : targets.entrySet()) {
      create(
          new ScheduleName(one.getKey()),
          new ScheduleDefinition(
              like.rule(), like.bounds(), like.spread(), one.getValue(), like.policies()));
    }

    List<Schedule> listed =
        store.list(new ScheduleFilter("", null, Set.of(), null, MANY), (_, _) -> {}).schedules();

    assertThat(listed)
        .extracting(one -> one.name().value())
        .containsExactly("a-handler", "b-fair", "c-pool", "d-damaged");
    List<TaskDetails> details =
        listed.stream()
            .map(one -> ((ScheduleTarget.Handler) one.definition().target()).details())
            .toList();
    assertThat(details.get(0).fairness()).isNull();
    assertThat(details.get(1).fairness()).isEqualTo(new Fairness("customer 7", 3));
    assertThat(PushRequest.decode(details.get(2).payload()))
        .usingRecursiveComparison()
        .isEqualTo(new PushRequest("PUT", "/x?y=1", push.headers(), new byte[0]));
    assertThat(List.of(details.get(0), details.get(1), details.get(3)))
        .allMatch(one -> one.payload().length == 0);
  }

  private List<String> matching(String prefix, @Nullable ScheduleName after, String... patterns) {
    ScheduleFilter filter =
        new ScheduleFilter(prefix, Set.of(patterns), after, Set.of(), null, MANY);
    return store.list(filter, (_, _) -> {}).schedules().stream()
        .map(one -> one.name().value())
        .toList();
  }

  private List<String> names(
      String prefix,
      @Nullable ScheduleName after,
      Set<FiringStatus> statuses,
      @Nullable ScheduleDecider decider,
      int limit) {
    ScheduleFilter filter = new ScheduleFilter(prefix, after, statuses, decider, limit);
    return store.list(filter, (_, _) -> {}).schedules().stream()
        .map(one -> one.name().value())
        .toList();
  }

  @Test // PH-L4
  void the_ledger_is_listed_latest_first_by_decision_reason_and_time() {
    Schedule created = create(NIGHTLY, every(MINUTE, OverlapPolicy.SKIP));
    stores.letPass(Duration.ofSeconds(190));
    List<LedgerEntry> all = fire(MANY).entries();

    assertThat(all)
        .extracting(LedgerEntry::decision)
        .containsExactly(FireDecision.FIRED, FireDecision.SKIPPED, FireDecision.SKIPPED);
    assertThat(ledger(created)).isEqualTo(all.reversed());
    List<LedgerEntry> skipped = all.subList(1, 3);
    LedgerEntry first = skipped.getFirst();
    Instant at = first.fireAt();
    Set<FireDecision> any = Set.of();
    Set<FireDecision> skips = Set.of(FireDecision.SKIPPED);
    Set<SkipCause> overlap = Set.of(SkipCause.OVERLAP, SkipCause.PAUSED);
    Instant last = skipped.getLast().fireAt();

    assertThat(fires(created, at, at, skips, Set.of(SkipCause.OVERLAP), null))
        .containsExactly(first);
    assertThat(fires(created, null, null, any, Set.of(), at)).containsExactly(all.getFirst());
    assertThat(fires(created, null, null, any, overlap, null)).isEqualTo(skipped.reversed());
    assertThat(fires(created, null, null, skips, Set.of(), null)).isEqualTo(skipped.reversed());
    assertThat(fires(created, null, null, any, overlap, last)).containsExactly(first);
    assertThat(fires(created, null, at, any, overlap, null)).containsExactly(first);
    assertThat(fires(created, null, at, any, overlap, last)).containsExactly(first);
    assertThat(fires(created, null, null, any, Set.of(SkipCause.PAUSED), null)).isEmpty();
    assertThat(fires(created, null, null, Set.of(FireDecision.FIRED), overlap, null)).isEmpty();
  }

  private List<LedgerEntry> fires(
      Schedule schedule,
      @Nullable Instant from,
      @Nullable Instant to,
      Set<FireDecision> decisions,
      Set<SkipCause> reasons,
      @Nullable Instant before) {
    LedgerQuery.PageStart place = before == null ? null : new LedgerQuery.PageStart(before, "");
    return store.fires(new LedgerQuery(schedule.id(), from, to, decisions, reasons, place, MANY));
  }

  @Test
  void old_decisions_are_forgotten() {
    Schedule created = create(NIGHTLY, every(MINUTE, OverlapPolicy.ALLOW_ALL));
    stores.letPass(Duration.ofSeconds(130));
    fire(MANY);
    stores.letPass(Duration.ofHours(2));

    assertThat(store.pruneLedger(Duration.ofHours(3), MANY)).isZero();
    assertThat(store.pruneLedger(Duration.ofHours(1), 1)).isEqualTo(1);
    assertThat(ledger(created)).hasSize(1);
  }

  @Test
  void a_calendar_is_stored_by_its_generation() {
    CalendarText dates = dates(LocalDate.of(2026, 12, 25));

    assertThat(store.putCalendar(HOLIDAYS, WORKDAYS, 7L)).isEmpty();
    assertThat(store.putCalendar(HOLIDAYS, WORKDAYS, 0L).orElseThrow().generation()).isEqualTo(1);
    assertThat(store.putCalendar(HOLIDAYS, dates, 0L)).isEmpty();
    assertThat(store.putCalendar(HOLIDAYS, dates, 1L).orElseThrow().generation()).isEqualTo(2);
    assertThat(store.putCalendar(HOLIDAYS, WORKDAYS, null).orElseThrow().generation()).isEqualTo(3);
    assertThat(store.calendars(List.of(HOLIDAYS, new CalendarName("none"))))
        .singleElement()
        .satisfies(one -> assertThat(one.text()).isEqualTo(WORKDAYS));
    assertThat(store.listCalendars(null, MANY)).hasSize(1);
    assertThat(store.listCalendars(HOLIDAYS, MANY)).isEmpty();
  }

  @Test
  void a_calendar_that_is_named_cannot_be_deleted_and_wakes_its_schedules_when_it_changes() {
    store.putCalendar(HOLIDAYS, WORKDAYS, null);
    create(NIGHTLY, everything());
    assertThat(fire(MANY)).isEqualTo(FireReceipt.NOTHING);

    assertThat(store.deleteCalendar(HOLIDAYS)).isEqualTo(CalendarDeletion.IN_USE);
    store.putCalendar(HOLIDAYS, WORKDAYS, null);
    assertThat(fire(MANY).schedules()).isEqualTo(1);
    assertThat(fire(MANY)).isEqualTo(FireReceipt.NOTHING);
    remove(NIGHTLY);
    assertThat(store.deleteCalendar(HOLIDAYS)).isEqualTo(CalendarDeletion.DELETED);
    assertThat(store.deleteCalendar(HOLIDAYS)).isEqualTo(CalendarDeletion.UNKNOWN);
  }

  private static CalendarText dates(LocalDate... dates) {
    return CalendarText.of(WorkingCalendar.ofDates(Set.of(dates)));
  }

  /** Makes these days, counted from today, the only holidays. */
  private void putDays(int... fromToday) {
    LocalDate today = today();
    store.putCalendar(
        HOLIDAYS,
        dates(IntStream.of(fromToday).mapToObj(today::plusDays).toArray(LocalDate[]::new)),
        null);
  }

  /** Creates a schedule of every minute of these days, counted from today. */
  private Schedule createOnDays(int... fromToday) {
    putDays(fromToday);
    return create(NIGHTLY, everyMinuteOfHolidays());
  }

  private LocalDate today() {
    return stores.now().atZone(ZoneOffset.UTC).toLocalDate();
  }

  @Test
  void what_a_calendar_has_left_out_does_not_fire_when_it_changes() {
    Schedule created = createOnDays(300);
    stores.letPass(Duration.ofMinutes(10));

    putDays(-1, 0, 1);

    Instant from = stores.now().minusSeconds(120);
    fire(MANY);
    assertThat(ledger(created)).allMatch(entry -> entry.fireAt().isAfter(from));
    assertThat(found(NIGHTLY).progress().nextAt()).isAfter(from).isBefore(from.plusSeconds(240));
  }

  @Test
  void what_a_calendar_had_left_out_before_what_is_due_does_not_fire_when_it_changes() {
    Schedule created = createOnDays(300);
    stores.letPass(Duration.ofDays(301));

    putDays(IntStream.range(-310, 2).toArray());
    fire(MANY);

    Instant due = today().minusDays(1).atStartOfDay(ZoneOffset.UTC).toInstant();
    assertThat(ledger(created)).isNotEmpty().noneMatch(entry -> entry.fireAt().isBefore(due));
  }

  @Test
  void a_calendar_that_changes_loses_nothing_of_a_schedule_that_is_put_off() {
    Schedule created = createOnDays(0, 1);
    stores.letPass(Duration.ofSeconds(190));
    store.putOff(found(NIGHTLY), Duration.ofHours(1));

    putDays(-1, 0, 1);
    store.rezone("test-" + stores.now());
    fire(MANY);

    assertThat(ledger(created)).hasSizeGreaterThanOrEqualTo(3).allMatch(LedgerEntry::isFired);
  }

  @Test
  void what_is_due_when_a_calendar_changes_is_decided_by_the_new_one() {
    Schedule created = createOnDays(0, 1);
    stores.letPass(Duration.ofMinutes(10));

    putDays(300);
    fire(MANY);

    assertThat(ledger(created)).isNotEmpty().noneMatch(LedgerEntry::isFired);
  }

  @Test
  void a_schedule_whose_calendar_has_run_out_of_days_begins_again_with_new_ones() {
    Schedule created = createOnDays(300);
    putDays(-300);
    fire(MANY);
    assertThat(found(NIGHTLY).progress().status()).isEqualTo(FiringStatus.ENDED);

    putDays(300);
    assertThat(found(NIGHTLY).progress().status()).isEqualTo(FiringStatus.ACTIVE);
    fire(MANY);

    assertThat(found(NIGHTLY).progress().nextAt())
        .isEqualTo(today().plusDays(300).atStartOfDay(ZoneOffset.UTC).toInstant());
    assertThat(ledger(created)).noneMatch(LedgerEntry::isFired);
  }

  @Test
  void other_rules_of_time_zones_do_not_bring_back_what_has_passed() {
    create(NIGHTLY, every(Duration.ofHours(1), OverlapPolicy.SKIP));
    Instant before = stores.now();

    store.rezone("test-" + before);

    assertThat(found(NIGHTLY).progress().decidedTo()).isAfterOrEqualTo(before);
  }

  @Test
  void what_was_decided_by_other_rules_of_time_zones_is_looked_at_anew() {
    create(NIGHTLY, every(Duration.ofHours(1), OverlapPolicy.SKIP));

    assertThat(store.rezone(ScheduleDeciders.TIME_ZONE_RULES)).isTrue();
    assertThat(fire(MANY).schedules()).isEqualTo(1);
    assertThat(store.rezone(ScheduleDeciders.TIME_ZONE_RULES)).isFalse();
    assertThat(fire(MANY)).isEqualTo(FireReceipt.NOTHING);
  }

  @Test
  void what_a_node_with_old_rules_of_time_zones_has_decided_meanwhile_is_found_again() {
    create(NIGHTLY, every(Duration.ofHours(1), OverlapPolicy.SKIP));

    assertThat(store.rezone("new")).isTrue();
    assertThat(fire(MANY).schedules()).as("by the old rules").isEqualTo(1);

    assertThat(store.rezone("new")).as("another node begins").isTrue();
    assertThat(fire(MANY).schedules()).isEqualTo(1);
  }

  @Test
  void a_run_that_somebody_asked_for_leaves_when_and_how_it_is_looked_at() {
    Schedule created = createOnDays(0, 1);
    stores.letPass(Duration.ofSeconds(190));
    store.putOff(found(NIGHTLY), Duration.ofHours(1));

    trigger("r-1", OverlapPolicy.ALLOW_ALL);

    assertThat(store.rezone(ScheduleDeciders.TIME_ZONE_RULES))
        .as("it is still to be looked at")
        .isTrue();
    fire(MANY);
    assertThat(ledger(created)).as("with the triggered one").hasSizeGreaterThanOrEqualTo(4);
  }

  @Test // PH-10, PH-L4
  void a_deleted_schedule_keeps_its_ledger() {
    Schedule created = create(NIGHTLY, every(MINUTE, OverlapPolicy.ALLOW_ALL));
    stores.letPass(Duration.ofSeconds(65));
    fire(MANY);

    remove(NIGHTLY);

    assertThat(store.find(NIGHTLY)).isEmpty();
    assertThat(ledger(created)).hasSize(1);
  }
}
