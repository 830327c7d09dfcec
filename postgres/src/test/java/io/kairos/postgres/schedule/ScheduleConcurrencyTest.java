package io.kairos.postgres.schedule;

import static io.kairos.postgres.TestDatabase.inParallel;
import static io.kairos.postgres.TestDatabase.sql;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kairos.contracts.ScheduleDeciders;
import io.kairos.domain.node.NodeId;
import io.kairos.domain.schedule.RuleBounds;
import io.kairos.domain.schedule.RunSpread;
import io.kairos.domain.schedule.definition.FirePolicies;
import io.kairos.domain.schedule.definition.FiringStatus;
import io.kairos.domain.schedule.definition.OverlapPolicy;
import io.kairos.domain.schedule.definition.Schedule;
import io.kairos.domain.schedule.definition.ScheduleDefinition;
import io.kairos.domain.schedule.definition.ScheduleId;
import io.kairos.domain.schedule.definition.ScheduleName;
import io.kairos.domain.schedule.definition.ScheduleProgress;
import io.kairos.domain.schedule.definition.ScheduleRule;
import io.kairos.domain.schedule.definition.ScheduleTarget;
import io.kairos.domain.task.OrderingKey;
import io.kairos.domain.task.TaskDetails;
import io.kairos.domain.task.queue.HandlerName;
import io.kairos.domain.task.queue.QueueName;
import io.kairos.engine.node.StoreUnavailable;
import io.kairos.engine.schedule.port.CreationResult;
import io.kairos.engine.schedule.port.DueDecider;
import io.kairos.engine.schedule.port.DueSchedule;
import io.kairos.engine.schedule.port.FireReceipt;
import io.kairos.engine.schedule.port.NamedFiring;
import io.kairos.engine.schedule.port.NextDecision;
import io.kairos.engine.schedule.port.ScheduleFilter;
import io.kairos.engine.schedule.port.ScheduleListing;
import io.kairos.engine.schedule.port.ScheduleStore;
import io.kairos.engine.schedule.port.ScheduleWrite;
import io.kairos.engine.schedule.port.UnreadableSchedule;
import io.kairos.postgres.PostgresStores;
import io.kairos.postgres.TestDatabase;
import io.kairos.postgres.sql.FailureText;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What happens while another node is deciding the same schedules, and when it dies over it. */
final class ScheduleConcurrencyTest {
  private static final NodeId NODE = new NodeId(new UUID(1, 1));
  private static final Duration TIMEOUT = Duration.ofMinutes(10);
  private static final TestDatabase DATABASE = TestDatabase.create();

  private static PostgresStores stores;
  private static ScheduleStore schedules;

  @BeforeAll
  static void open() {
    stores = DATABASE.open();
    schedules = stores.schedules();
  }

  @AfterAll
  static void close() {
    stores.close();
  }

  @BeforeEach
  void empty() {
    DATABASE.execute("truncate schedule, schedule_fire, task, finished_task, task_key");
  }

  private static void create(int count, OverlapPolicy overlap) {
    create(count, overlap, null);
  }

  /** Of one fire time each, which has come a second ago; named by their numbers. */
  private static void create(int count, OverlapPolicy overlap, @Nullable OrderingKey key) {
    create(0, count, overlap, key);
  }

  private static void create(
      int first, int count, OverlapPolicy overlap, @Nullable OrderingKey key) {
    Instant now = schedules.now();
    for (int i = first; i < first + count; i++) {
      ScheduleDefinition definition =
          new ScheduleDefinition(
              ScheduleRule.of(ScheduleRule.Kind.EVERY, "PT24H"),
              RuleBounds.NONE,
              RunSpread.NONE,
              new ScheduleTarget.Handler(
                  new QueueName(new HandlerName("report"), 50),
                  TaskDetails.of(new byte[0]).withKey(key)),
              FirePolicies.DEFAULT.with(overlap));
      Instant created = now.minus(Duration.ofHours(24)).minusSeconds(2);
      Schedule schedule =
          new Schedule(
              new ScheduleId(new UUID(5, i + 1)),
              new ScheduleName("s-" + i),
              definition,
              1,
              created,
              created,
              new ScheduleProgress(
                  FiringStatus.ACTIVE, "", created, created, now.minusSeconds(1), 0, null));
      assertThat(schedules.create(schedule)).isEqualTo(new CreationResult.Created());
    }
  }

  private static FireReceipt fire(int limit) {
    return schedules.fire(NODE, limit, TIMEOUT, ScheduleDeciders::decide);
  }

  @Test // PH-2, PH-F2, PH-L2
  void ph34_nodes_that_fire_at_once_share_what_is_due_and_double_nothing() throws Exception {
    create(200, OverlapPolicy.SKIP);
    Callable<Integer> node =
        () -> {
          int fired = 0;
          int last;
          do {
            last = fire(7).schedules();
            fired += last;
          } while (last > 0);
          return fired;
        };

    int fired = inParallel(4, node).stream().mapToInt(Integer::intValue).sum();
    fired += fire(1_000).schedules();

    assertThat(fired).isEqualTo(200);
    assertThat(DATABASE.number("select count(*) from task")).isEqualTo(200);
    assertThat(DATABASE.number("select count(*) from schedule_fire")).isEqualTo(200);
  }

  @Test
  void replicas_that_ask_for_the_same_at_once_at_any_node_double_nothing() throws Exception {
    create(60, OverlapPolicy.SKIP);
    DATABASE.execute("update schedule set decider = 'REPLICATED'");
    List<ScheduleName> names =
        IntStream.range(0, 60).mapToObj(i -> new ScheduleName("s-" + i)).toList();
    Instant upTo = schedules.now();
    DueDecider decider = (due, _) -> ScheduleDeciders.decide(due, upTo);
    NamedFiring which = new NamedFiring(names, upTo, 7);
    Callable<Integer> replica =
        () -> {
          int fired = 0;
          while (schedules.nextDecisions(names).stream().anyMatch(one -> isDue(one, upTo))) {
            fired += schedules.fireNamed(NODE, which, TIMEOUT, decider).schedules();
          }
          return fired;
        };

    assertThat(inParallel(3, replica).stream().mapToInt(Integer::intValue).sum()).isEqualTo(60);
    assertThat(DATABASE.number("select count(*) from task")).isEqualTo(60);
    assertThat(DATABASE.number("select count(*) from schedule_fire")).isEqualTo(60);
  }

  private static boolean isDue(NextDecision standing, Instant upTo) {
    Instant next = standing.nextAt();
    return next != null && !next.isAfter(upTo);
  }

  @Test
  void what_another_node_is_deciding_is_passed_over_without_waiting() throws Exception {
    create(2, OverlapPolicy.SKIP);
    CountDownLatch goOn = new CountDownLatch(1);
    try (ExecutorService threads = Executors.newSingleThreadExecutor()) {
      Future<FireReceipt> other = fireSlowly(threads, goOn);

      assertThat(fire(10).schedules()).isEqualTo(1);
      assertThat(fire(10)).isEqualTo(FireReceipt.NOTHING);
      goOn.countDown();
      assertThat(other.get().schedules()).isEqualTo(1);
    }
    assertThat(DATABASE.number("select count(*) from task")).isEqualTo(2);
  }

  /** Fires a schedule on another thread, which keeps the schedule locked until it may go on. */
  private static Future<FireReceipt> fireSlowly(ExecutorService threads, CountDownLatch goOn) {
    CountDownLatch locked = new CountDownLatch(1);
    DueDecider slow =
        (due, now) -> {
          locked.countDown();
          await(goOn);
          return ScheduleDeciders.decide(due, now);
        };
    Future<FireReceipt> firing = threads.submit(() -> schedules.fire(NODE, 1, TIMEOUT, slow));
    await(locked);
    return firing;
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  @Test // PH-4
  void ph35_a_node_that_dies_between_lock_and_commit_has_changed_nothing() throws Exception {
    create(3, OverlapPolicy.SKIP);
    try (ExecutorService threads = Executors.newSingleThreadExecutor()) {
      Future<FireReceipt> dying =
          threads.submit(() ->
              schedules.fire(
                  NODE,
                  10,
                  TIMEOUT,
                  (due, now) -> {
                    DATABASE.execute(
                        "select pg_terminate_backend(pid) from pg_stat_activity"
                            + " where state = 'idle in transaction'"
                            + " and datname = current_database()");
                    return ScheduleDeciders.decide(due, now);
                  }));
      assertThatThrownBy(dying::get)
          .isInstanceOf(ExecutionException.class)
          .hasCauseInstanceOf(StoreUnavailable.class);
    }
    assertThat(DATABASE.number("select count(*) from task")).isZero();

    assertThat(fire(10).schedules()).isEqualTo(3);
    assertThat(DATABASE.number("select count(*) from task")).isEqualTo(3);
    assertThat(DATABASE.number("select count(*) from schedule_fire")).isEqualTo(3);
  }

  @Test
  void what_is_read_after_the_lock_is_what_its_last_holder_has_written() throws Exception {
    create(1, OverlapPolicy.SKIP);
    CountDownLatch goOn = new CountDownLatch(1);
    ScheduleName name = new ScheduleName("s-0");
    try (ExecutorService threads = Executors.newFixedThreadPool(2)) {
      Future<FireReceipt> first = fireSlowly(threads, goOn);
      Future<Integer> second =
          threads.submit(() -> {
            int[] unfinished = {-1};
            schedules.change(
                NODE,
                name,
                "",
                TIMEOUT,
                (due, now) -> {
                  unfinished[0] = due.unfinished();
                  return Optional.empty();
                });
            return unfinished[0];
          });
      goOn.countDown();

      assertThat(first.get().schedules()).isEqualTo(1);
      assertThat(second.get()).isEqualTo(1);
    }
  }

  @Test
  void what_an_application_keeps_locked_is_not_waited_for() throws Exception {
    create(1, OverlapPolicy.ALLOW_ALL, new OrderingKey("account 7"));
    DATABASE.during(
        sql("insert into task_key (handler, key) values ('report', 'account 7')"),
        () ->
            assertThatThrownBy(() -> fire(10))
                .isInstanceOfSatisfying(
                    StoreUnavailable.class,
                    failure -> assertThat(FailureText.isLockTimeout(failure)).isTrue()));
    assertThat(fire(10).receipts()).hasSize(1);
  }

  /** Or a settle that has the key and wants the handler's row would meet it. */
  @Test
  void keys_of_new_runs_are_locked_before_the_rows_of_handlers() throws Exception {
    create(1, OverlapPolicy.CANCEL_OTHER);
    assertThat(fire(10).receipts()).hasSize(1);
    DATABASE.execute(
        "update schedule set created_at = created_at - 3600000000,"
            + " decided_to = created_at - 3600000000, next_at = 1");
    create(1, 1, OverlapPolicy.ALLOW_ALL, new OrderingKey("account 7"));
    DATABASE.execute("insert into task_key (handler, key) values ('report', 'account 7')");
    DATABASE.execute(
        "insert into task_handler (handler, max_unfinished) values ('report', 9)"
            + " on conflict (handler) do update set max_unfinished = 9");
    String lockKey = "select from task_key where key = 'account 7' for update nowait";

    FireReceipt fired =
        DATABASE.blockedBehind(
            sql("select from task_handler where handler = 'report' for update"),
            () -> fire(10),
            () ->
                assertThatThrownBy(() -> DATABASE.execute(lockKey))
                    .hasCauseInstanceOf(SQLException.class));

    assertThat(fired.receipts()).hasSize(2);
    DATABASE.execute("update task_handler set max_unfinished = null where handler = 'report'");
  }

  /** Perhaps a newer version has written it. */
  @Test
  void a_list_passes_over_a_bounded_number_of_names_and_says_where_it_goes_on() {
    int others = PostgresScheduleStore.MOST_LOOKED + 5;
    int queue =
        stores
            .tasks()
            .queues(List.of(new QueueName(new HandlerName("h"), QueueName.DEFAULT)))
            .values()
            .iterator()
            .next()
            .value();
    DATABASE.execute(
        "insert into schedule (id, name, generation, created_at, updated_at, rule_kind, rule_text,"
            + " dialect, day_match, zone, gap, repeated, spread_micros, queue_id, payload, overlap,"
            + " catch_up, catch_up_window_micros, catch_up_max, pause_on_failure, status, note,"
            + " since, decided_to, runs, decider) select gen_random_uuid(), 'x-' || lpad(n::text,"
            + " 6, '0') || case n when 7 then '-end' when "
            + others
            + " then '-end' else '' end, 1, 1, 1, 'CRON', '0 * * * *', 'UNIX', 'EITHER', 'UTC',"
            + " 'SKIP', 'FIRST', 0, "
            + queue
            + ", '', 'SKIP', 'LATEST', 1, 1, false, 'PAUSED', '', 1, 1, 0,"
            + " 'NODE' from generate_series(1, "
            + others
            + ") n");

    ScheduleListing first = schedules.list(endingSo(null), (_, _) -> {});
    ScheduleListing.Place lookedTo = requireNonNull(first.lookedTo());
    ScheduleListing second = schedules.list(endingSo(lookedTo.name()), (_, _) -> {});

    assertThat(first.schedules())
        .extracting(one -> one.name().value())
        .containsExactly("x-000007-end");
    assertThat(lookedTo.name().value()).isEqualTo("x-0" + PostgresScheduleStore.MOST_LOOKED);
    assertThat(schedules.nameOf(lookedTo.id())).contains(lookedTo.name());
    assertThat(second.schedules())
        .extracting(one -> one.name().value())
        .containsExactly("x-0" + others + "-end");
    assertThat(second.lookedTo()).isNull();
  }

  private static ScheduleFilter endingSo(@Nullable ScheduleName after) {
    return new ScheduleFilter("", Set.of("*-end"), after, Set.of(), null, 10);
  }

  @Test
  void ph19_a_schedule_that_cannot_be_read_does_not_stop_the_others() {
    create(3, OverlapPolicy.SKIP);
    DATABASE.execute("update schedule set dialect = 'FUTURE' where name = 's-1'");
    List<ScheduleName> unreadable = new ArrayList<>();

    FireReceipt fired =
        schedules.fire(
            NODE,
            10,
            TIMEOUT,
            new DueDecider() {
              @Override
              public List<ScheduleWrite> decide(List<DueSchedule> due, Instant now) {
                return ScheduleDeciders.decide(due, now);
              }

              @Override
              public void unreadable(ScheduleName schedule, RuntimeException why) {
                unreadable.add(schedule);
              }
            });

    assertThat(fired.schedules()).isEqualTo(2);
    assertThat(unreadable).containsExactly(new ScheduleName("s-1"));
    assertThat(fire(10)).isEqualTo(FireReceipt.NOTHING);
  }

  @Test
  void ph19_a_schedule_that_cannot_be_read_is_passed_over_in_a_list_and_can_be_removed() {
    create(5, OverlapPolicy.SKIP);
    DATABASE.execute("update schedule set dialect = 'FUTURE' where name in ('s-1', 's-2')");
    ScheduleName broken = new ScheduleName("s-1");
    List<ScheduleName> unreadable = new ArrayList<>();

    List<Schedule> listed =
        schedules
            .list(
                new ScheduleFilter("", null, Set.of(), null, 3), (name, _) -> unreadable.add(name))
            .schedules();

    assertThat(listed).hasSize(3);
    assertThat(unreadable).containsExactly(broken, new ScheduleName("s-2"));
    assertThatThrownBy(
            () -> schedules.change(NODE, broken, "", TIMEOUT, (_, _) -> Optional.empty()))
        .isInstanceOf(UnreadableSchedule.class)
        .hasMessageContaining("s-1");
    assertThat(schedules.discard(broken)).isTrue();
    assertThat(schedules.discard(broken)).isFalse();
  }

  @Test
  void c5_large_payloads_are_read_some_at_a_time() {
    create(20, OverlapPolicy.SKIP);
    DATABASE.execute("update schedule set payload = convert_to(repeat('x', 1048576), 'UTF8')");

    int first = fire(1_000).schedules();

    assertThat(first).isEqualTo(16);
    assertThat(fire(1_000).schedules()).isEqualTo(4);
  }
}
