package io.kairos.postgres.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.kairos.domain.node.NodeId;
import io.kairos.domain.task.OrderingKey;
import io.kairos.domain.task.RetryPolicy;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.TaskState;
import io.kairos.domain.task.queue.CollectionName;
import io.kairos.domain.task.queue.HandlerName;
import io.kairos.domain.task.queue.QueueId;
import io.kairos.domain.task.queue.QueueMaker;
import io.kairos.domain.task.queue.QueueName;
import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.task.port.EnqueueRequest;
import io.kairos.engine.task.port.TaskStore;
import io.kairos.engine.task.port.operator.TaskView;
import io.kairos.postgres.PostgresStores;
import io.kairos.postgres.TestDatabase;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The SQL function by which an application schedules in its own transaction and role. */
final class TransactionalEnqueueTest {
  private static final NodeId NODE = new NodeId(new UUID(1, 1));
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final TestDatabase DATABASE = TestDatabase.create();

  private static PostgresStores stores;
  private static TaskStore tasks;
  private Connection application;

  @BeforeAll
  static void open() {
    stores = DATABASE.open();
    tasks = stores.tasks();
    DATABASE.execute("drop role if exists shop");
    DATABASE.execute("create role shop login password 'shop'");
    DATABASE.execute("grant execute on function kairos_schedule to shop");
  }

  @AfterAll
  static void close() {
    stores.close();
    DATABASE.execute("drop owned by shop");
    DATABASE.execute("drop role shop");
  }

  @BeforeEach
  void connect() throws SQLException {
    DATABASE.execute("truncate task, finished_task, task_request, task_handler, task_key");
    application = DriverManager.getConnection(DATABASE.jdbcUrl(), "shop", "shop");
    application.setAutoCommit(false);
  }

  @AfterEach
  void disconnect() throws SQLException {
    application.close();
  }

  private TaskId schedule(String arguments) throws SQLException {
    return schedule(application, arguments);
  }

  /** The task of a transaction that has committed. */
  private TaskId scheduled(String arguments) throws SQLException {
    TaskId id = schedule(arguments);
    application.commit();
    return id;
  }

  private static TaskId schedule(Connection connection, String arguments) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("select kairos_schedule(" + arguments + ")")) {
      row.next();
      return new TaskId(Objects.requireNonNull(row.getObject(1, UUID.class)));
    }
  }

  private SQLException refusal(String arguments) throws SQLException {
    SQLException refusal = catchThrowableOfType(SQLException.class, () -> schedule(arguments));
    application.rollback();
    return refusal;
  }

  @Test
  void a_task_knows_the_role_that_has_scheduled_it() throws SQLException {
    TaskId id = scheduled("handler => 'invoice', payload => 'order 7'");

    assertThat(tasks.find(id).orElseThrow().submittedBy()).isEqualTo("sql:shop");
  }

  @Test
  void a_task_of_a_queue_with_fairness_keys_is_found_behind_those_of_a_key() throws SQLException {
    TaskId before = scheduled("handler => 'invoice'");
    DATABASE.execute(
        "update task_queue set is_fair = true where handler = 'invoice' and priority = 50");
    try {
      TaskId after = scheduled("handler => 'invoice', idempotency_key => 'once'");

      String shares = "select count(*) from task where fairness_key = '' and id = '%s'";
      assertThat(DATABASE.number(shares.formatted(after.value()))).isOne();
      assertThat(DATABASE.number(shares.formatted(before.value()))).isZero();
      assertThat(tasks.find(after).orElseThrow().details().fairness()).isNull();
    } finally {
      DATABASE.execute("update task_queue set is_fair = false where is_fair");
    }
  }

  @Test
  void a_task_is_there_when_its_transaction_commits_and_not_before() throws SQLException {
    TaskId id = schedule("handler => 'invoice', payload => 'order 7'");

    assertThat(tasks.find(id)).isEmpty();
    application.commit();
    TaskView view = tasks.find(id).orElseThrow();
    assertThat(view.state()).isEqualTo(TaskState.NEW);
    assertThat(view.queue()).isEqualTo(new QueueName(new HandlerName("invoice"), 50));
    assertThat(view.details().payload()).isEqualTo("order 7".getBytes(StandardCharsets.UTF_8));
    assertThat(view.details().retryPolicy()).isEqualTo(RetryPolicy.DEFAULT);
    assertThat(view.details().key()).isNull();
    assertThat(view.id().value().version()).isEqualTo(7);
    assertThat(view.dueAt()).isBetween(view.createdAt(), view.createdAt().plusMillis(1));
    assertThat(
            tasks.enqueue(
                new EnqueueRequest(
                    NODE, limits(view), 1 << 20, Duration.ZERO, Duration.ofMinutes(1))))
        .singleElement()
        .satisfies(one -> assertThat(one.task().id()).isEqualTo(id));
  }

  private static Map<QueueId, Integer> limits(TaskView view) {
    return Map.of(
        Optional.ofNullable(tasks.queues(List.of(view.queue())).get(view.queue())).orElseThrow(),
        10);
  }

  @Test
  void a_task_of_a_transaction_that_is_rolled_back_was_never_there() throws SQLException {
    TaskId id =
        schedule("handler => 'invoice', idempotency_key => 'k', idempotency_window => 'forever'");
    application.rollback();

    assertThat(tasks.find(id)).isEmpty();
    assertThat(DATABASE.number("select count(*) from task")).isZero();
    assertThat(DATABASE.number("select count(*) from task_request")).isZero();
  }

  @Test
  void everything_that_can_be_said_of_a_task_is_kept() throws SQLException {
    TaskId id =
        scheduled(
            """
            handler => 'invoice', run_at => '2030-01-01T00:00:00.000001Z', priority => 70, key => 'customer 7',
            collection => 'import', start_deadline => '2030-01-02T00:00:00Z', execution_timeout => '5 s', max_attempts => 3,
            initial_backoff => '1 s', backoff_factor => 1.5, max_backoff => '9 s',
            traceparent => '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
            """);

    TaskView view = tasks.find(id).orElseThrow();
    assertThat(view.queue().priority()).isEqualTo(70);
    assertThat(view.dueAt()).isEqualTo(Instant.parse("2030-01-01T00:00:00.000001Z"));
    assertThat(view.progress().nextTrigger()).isEqualTo(view.dueAt());
    assertThat(view.details().key()).isEqualTo(new OrderingKey("customer 7"));
    assertThat(view.details().collection()).isEqualTo(new CollectionName("import"));
    assertThat(view.details().startDeadlineMicros())
        .isEqualTo(EpochMicros.of(Instant.parse("2030-01-02T00:00:00Z")));
    assertThat(view.details().retryPolicy())
        .isEqualTo(new RetryPolicy(3, Duration.ofSeconds(1), 1.5, Duration.ofSeconds(9)));
    assertThat(view.details().payload()).isEmpty();
  }

  @Test
  void a_delay_counts_from_the_call() throws SQLException {
    TaskId id = scheduled("handler => 'invoice', delay => '1 hour'");

    TaskView view = tasks.find(id).orElseThrow();
    assertThat(Duration.between(view.createdAt(), view.dueAt()))
        .isBetween(Duration.ofHours(1).minusMillis(1), Duration.ofHours(1).plusMillis(1));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          handler => 'a b' | handler: must have
          handler => null | handler: must have
          handler => 'pool:billing' | handler: must not begin with pool:, which is for pools
          handler => 'h', payload => null | payload: must be
          handler => 'h', payload => convert_to(repeat('x', 1048577), 'UTF8') | payload: must be at most 1,048,576 bytes
          handler => 'h', priority => 101 | priority: must be 0 to 100
          handler => 'h', run_at => now(), delay => '1 s' | run_at: must not be given together with delay
          handler => 'h', run_at => 'infinity' | run_at: must be a time
          handler => 'h', delay => '-1 s' | delay: must not be negative
          handler => 'h', key => '' | key: must have 1 to 256 characters
          handler => 'h', key => repeat('x', 257) | key: must have 1 to 256 characters
          handler => 'h', key => chr(133) | key: must have 1 to 256 characters
          handler => 'h', collection => 'a b' | collection: must have
          handler => 'h', start_deadline => now() - interval '1 s' | start_deadline: must not be before
          handler => 'h', idempotency_key => chr(9) | idempotency_key: must have
          handler => 'h', idempotency_key => 'kairos-task-source-1' | idempotency_key: must not begin with kairos-
          handler => 'h', idempotency_key => 'k', idempotency_window => 'week' | idempotency_window: must be
          handler => 'h', idempotency_key => 'k', idempotency_duration => '0' | idempotency_duration: must be more than nothing
          handler => 'h', idempotency_key => 'k', on_conflict => 'replace' | on_conflict: must be keep or error
          handler => 'h', execution_timeout => '0' | execution_timeout: must be
          handler => 'h', traceparent => '00-1' | traceparent: must be
          handler => 'h', max_attempts => 0 | max_attempts: must be
          handler => 'h', backoff_factor => 'NaN' | backoff_factor: must be
          handler => 'h', initial_backoff => '9 s', max_backoff => '1 s' | max_backoff: must be between
          handler => 'h', initial_backoff => '1 year', max_backoff => '1 year' | initial_backoff: must be 0 to 365 days
          handler => 'h', max_backoff => '1 year' | max_backoff: must be between
          handler => 'h', execution_timeout => '1 year' | execution_timeout: must be
          handler => 'h', delay => '300000 years' | delay: must not be negative, and must end before the year 10000
          handler => 'h', delay => '9000 years' | delay: must not be negative, and must end before the year 10000
          handler => 'h', idempotency_window => 'forever' | idempotency_key: must be given together with a window
          handler => 'h', idempotency_duration => '1 s' | idempotency_key: must be given together with a window
          handler => 'h', reject_beyond => '-1 s' | reject_beyond: must be 0 to 365 days
          handler => 'h', reject_beyond => '366 days' | reject_beyond: must be 0 to 365 days
          handler => 'h', reject_beyond => '1 s', start_deadline => now() | reject_beyond: must not be given together
          handler => 'h', reject_beyond => '1 s', run_at => now() - interval '9 s' | run_at: must not lie further in the past
          """)
  void what_breaks_a_rule_is_refused_by_its_name(String arguments, String rule)
      throws SQLException {
    SQLException refusal = refusal(arguments);

    assertThat(refusal.getSQLState()).isEqualTo("22023");
    assertThat(refusal.getMessage()).contains(rule);
  }

  @Test
  void a_task_that_may_be_so_late_has_a_start_deadline() throws SQLException {
    TaskView view =
        tasks
            .find(
                scheduled(
                    "handler => 'h', run_at => now() - interval '9 s', reject_beyond => '1 hour'"))
            .orElseThrow();

    assertThat(view.details().startDeadlineMicros())
        .isEqualTo(EpochMicros.of(view.dueAt().plus(Duration.ofHours(1))));
  }

  @Test
  void a_role_can_make_a_quarter_of_the_queues_and_the_others_are_for_others() throws SQLException {
    scheduled("handler => 'known'");
    DATABASE.execute(
        "insert into task_queue (handler, priority, made_by) select 'made-up-' || n, 0, 'role shop'"
            + " from generate_series(2, "
            + QueueMaker.MOST_QUEUES
            + ") n");

    try {
      SQLException full = refusal("handler => 'one-more'");
      assertThat(full.getMessage()).contains("2,500 that this role has made");
      assertThat(full.getSQLState()).isEqualTo("53400");
      scheduled("handler => 'known'");
      assertThat(tasks.queues(List.of(new QueueName(new HandlerName("one-more"), 50)))).hasSize(1);
    } finally {
      DATABASE.execute("delete from task_queue where handler <> 'known'");
    }
  }

  @Test
  void when_there_are_as_many_queues_as_there_may_be_no_transaction_makes_another()
      throws SQLException {
    scheduled("handler => 'known'");
    DATABASE.execute(
        "insert into task_queue (handler, priority) select 'made-up-' || n, 0 from generate_series(1, "
            + (TaskStore.MOST_QUEUES - DATABASE.number("select count(*) from task_queue"))
            + ") n");

    try {
      assertThat(refusal("handler => 'one-more'").getMessage()).contains("there are 10,000 queues");
      scheduled("handler => 'known'");
    } finally {
      DATABASE.execute("delete from task_queue where handler <> 'known'");
    }
  }

  @Test
  void a_second_task_with_the_key_of_an_unfinished_one_is_that_one() throws SQLException {
    TaskId first = schedule("handler => 'h', idempotency_key => 'k'");
    TaskId second = scheduled("handler => 'h', idempotency_key => 'k'");

    assertThat(second).isEqualTo(first);
    SQLException taken = refusal("handler => 'h', idempotency_key => 'k', on_conflict => 'error'");
    assertThat(taken.getMessage()).contains("idempotency_key: is that of task " + first);
    assertThat(taken.getSQLState()).isEqualTo("23505");
    tasks.cancel(first);
    assertThat(scheduled("handler => 'h', idempotency_key => 'k', on_conflict => 'error'"))
        .isNotEqualTo(first);
  }

  @Test
  void a_key_for_ever_or_for_a_time_outlives_its_task() throws SQLException {
    TaskId forever =
        schedule("handler => 'h', idempotency_key => 'a', idempotency_window => 'forever'");
    TaskId hour =
        scheduled("handler => 'h', idempotency_key => 'b', idempotency_duration => '1 hour'");
    tasks.cancel(forever);
    tasks.cancel(hour);

    assertThat(schedule("handler => 'h', idempotency_key => 'a'")).isEqualTo(forever);
    assertThat(scheduled("handler => 'h', idempotency_key => 'b'")).isEqualTo(hour);
    DATABASE.execute("update task_request set until = 1 where until is not null");
    assertThat(scheduled("handler => 'h', idempotency_key => 'b'")).isNotEqualTo(hour);
  }

  @Test
  void a_handler_that_is_full_takes_no_more() throws SQLException {
    tasks.setQuota(new HandlerName("h"), 1L);
    scheduled("handler => 'h'");
    tasks.recountQuotas();

    SQLException full = refusal("handler => 'h'");
    assertThat(full.getMessage()).contains("h has as many unfinished tasks as it may have");
    assertThat(full.getSQLState()).isEqualTo("53400");
    scheduled("handler => 'other'");
  }

  @Test
  void the_application_can_do_nothing_but_schedule() throws SQLException {
    for (String other :
        List.of(
            "select * from task",
            "insert into task_queue (handler, priority) values ('h', 1)",
            "select last_value from task_bell")) {
      SQLException refusal =
          catchThrowableOfType(
              SQLException.class,
              () -> {
                try (Statement statement = application.createStatement()) {
                  statement.execute(other);
                }
              });
      application.rollback();
      assertThat(refusal.getSQLState()).as(other).isEqualTo("42501");
    }
  }

  @Test
  void who_was_not_granted_it_cannot_schedule() throws SQLException {
    DATABASE.execute("create role stranger login password 'stranger'");
    try (Connection stranger =
        DriverManager.getConnection(DATABASE.jdbcUrl(), "stranger", "stranger")) {
      SQLException refusal =
          catchThrowableOfType(SQLException.class, () -> schedule(stranger, "handler => 'h'"));
      assertThat(refusal.getSQLState()).isEqualTo("42501");
    } finally {
      DATABASE.execute("drop role stranger");
    }
  }

  @Test
  void temporary_tables_of_the_caller_are_not_mistaken_for_the_stores() throws SQLException {
    try (Statement statement = application.createStatement()) {
      statement.execute("create temporary table task (id uuid)");
    }
    TaskId id = scheduled("handler => 'h'");

    assertThat(tasks.find(id)).isPresent();
  }

  /** What rang in the test before is heard some time later. */
  private static void listenAfterWhatRangBefore() {
    boolean rang = true;
    while (rang) {
      rang = stores.notifier().heard(NODE, Duration.ofMillis(200));
    }
    DATABASE.execute("select setval('task_bell', 0)");
  }

  @Test
  void the_bell_rings_with_the_commit_of_what_is_due_soon() throws SQLException {
    listenAfterWhatRangBefore();
    scheduled("handler => 'h', delay => '1 hour'");
    schedule("handler => 'h'");
    assertThat(stores.notifier().heard(NODE, Duration.ofMillis(1))).isFalse();
    application.commit();

    assertThat(stores.notifier().heard(NODE, PATIENCE)).isTrue();
  }

  /** Within the tenth of a second in which nobody tells again, whatever the machine is doing. */
  private static void itIsStillTheMomentOfTheLastRing() {
    DATABASE.execute(
        "select setval('task_bell', (extract(epoch from now()) * 1000)::bigint + 3600000)");
  }

  @Test
  void the_bell_rings_once_for_transactions_that_come_together() throws SQLException {
    listenAfterWhatRangBefore();
    scheduled("handler => 'h'");
    assertThat(stores.notifier().heard(NODE, PATIENCE)).isTrue();
    itIsStillTheMomentOfTheLastRing();

    scheduled("handler => 'h'");

    assertThat(stores.notifier().heard(NODE, Duration.ofMillis(200))).isFalse();
    DATABASE.execute("select setval('task_bell', 0)");
  }

  @Test
  void a_bell_that_a_clock_which_was_set_back_has_silenced_rings_again() throws SQLException {
    listenAfterWhatRangBefore();
    scheduled("handler => 'h'");
    assertThat(stores.notifier().heard(NODE, PATIENCE)).isTrue();
    itIsStillTheMomentOfTheLastRing(); // and would be for an hour

    tasks.shortenLeases(Duration.ofHours(1), Duration.ofSeconds(15), 10);
    scheduled("handler => 'h'");

    assertThat(stores.notifier().heard(NODE, PATIENCE)).isTrue();
    DATABASE.execute("select setval('task_bell', 0)");
  }

  @Test
  void a_transaction_that_was_rolled_back_or_is_under_way_does_not_silence_the_bell()
      throws SQLException {
    listenAfterWhatRangBefore();
    schedule("handler => 'h'");
    application.rollback();
    itIsStillTheMomentOfTheLastRing();

    scheduled("handler => 'h'");
    assertThat(stores.notifier().heard(NODE, PATIENCE)).isTrue();

    DATABASE.execute("select setval('task_bell', 0)");
    schedule("handler => 'h'");
    itIsStillTheMomentOfTheLastRing();
    try (Connection other = DriverManager.getConnection(DATABASE.jdbcUrl(), "shop", "shop")) {
      schedule(other, "handler => 'h'");
    }
    assertThat(stores.notifier().heard(NODE, PATIENCE)).isTrue();
    application.rollback();
    DATABASE.execute("select setval('task_bell', 0)");
  }

  @Test
  void pd21_the_calls_of_a_transaction_make_ids_in_their_order() throws SQLException {
    List<TaskId> ids = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      ids.add(schedule("handler => 'h', key => 'k', run_at => '2030-01-01T00:00:00Z'"));
    }
    application.commit();

    assertThat(ids).isSorted().doesNotHaveDuplicates();
    assertThat(ids).allMatch(id -> id.value().version() == 7 && id.value().variant() == 2);
  }
}
