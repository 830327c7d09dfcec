package io.kairos.postgres.task;

import static io.kairos.postgres.TestDatabase.sql;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.kairos.domain.node.NodeId;
import io.kairos.domain.task.Fairness;
import io.kairos.domain.task.FencedTask;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.TaskState;
import io.kairos.domain.task.queue.HandlerName;
import io.kairos.domain.task.queue.QueueId;
import io.kairos.domain.task.queue.QueueName;
import io.kairos.engine.task.port.ClaimResult;
import io.kairos.engine.task.port.EnqueueRequest;
import io.kairos.engine.task.port.EnqueuedTask;
import io.kairos.engine.task.port.Settlement;
import io.kairos.engine.task.port.TaskClaim;
import io.kairos.engine.task.port.TaskStore;
import io.kairos.engine.task.port.operator.RedriveRequest;
import io.kairos.postgres.PostgresStores;
import io.kairos.postgres.TestDatabase;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tasks that wait for others, and fairness keys, from the application's own transaction. */
final class TransactionalGraphTest {
  private static final NodeId NODE = new NodeId(new UUID(1, 1));
  private static final Duration LEASE = Duration.ofMinutes(5);
  private static final TestDatabase DATABASE = TestDatabase.create();

  private static final RedriveRequest ALL_FAILED =
      new RedriveRequest(
          new RedriveRequest.Filter(null, RedriveRequest.REDRIVABLE, null, "", null),
          null,
          Duration.ZERO,
          100);

  private static PostgresStores stores;
  private static TaskStore tasks;
  private static QueueId queue;
  private Connection application;

  @BeforeAll
  static void open() {
    stores = DATABASE.open();
    tasks = stores.tasks();
    queue =
        tasks.queues(List.of(new QueueName(new HandlerName("h"), 50))).values().iterator().next();
    for (String role : List.of("grapher", "bystander")) {
      DATABASE.execute("create role " + role + " login password '" + role + "'");
      DATABASE.execute("grant execute on function kairos_schedule to " + role);
    }
  }

  @AfterAll
  static void close() {
    stores.close();
    for (String role : List.of("grapher", "bystander")) {
      DATABASE.execute("drop owned by " + role);
      DATABASE.execute("drop role " + role);
    }
  }

  @BeforeEach
  void connect() throws SQLException {
    DATABASE.execute(
        "truncate task, task_share, finished_task, task_error, task_request, task_edge, task_await,"
            + " task_ended, task_to_follow, task_queue_to_share, node;"
            + " update task_queue set is_fair = false where is_fair");
    application = connection("grapher");
  }

  private static Connection connection(String role) throws SQLException {
    Connection connection = DriverManager.getConnection(DATABASE.jdbcUrl(), role, role);
    connection.setAutoCommit(false);
    return connection;
  }

  @AfterEach
  void disconnect() throws SQLException {
    application.close();
  }

  private static TaskId schedule(Connection by, String arguments) throws SQLException {
    try (Statement statement = by.createStatement();
        ResultSet row =
            statement.executeQuery("select kairos_schedule(handler => 'h'" + arguments + ")")) {
      row.next();
      return new TaskId(Objects.requireNonNull(row.getObject(1, UUID.class)));
    }
  }

  private TaskId schedule(TaskId... after) throws SQLException {
    return schedule(application, after(after));
  }

  private static String after(TaskId... after) {
    return after.length == 0 ? "" : ", after => '{" + ids(after) + "}'";
  }

  private static String ids(TaskId... ids) {
    return String.join(",", List.of(ids).stream().map(TaskId::toString).toList());
  }

  private SQLException refusal(String arguments) throws SQLException {
    SQLException refusal =
        catchThrowableOfType(SQLException.class, () -> schedule(application, arguments));
    application.rollback();
    return refusal;
  }

  private static TaskState state(TaskId id) {
    return tasks.find(id).orElseThrow().state();
  }

  /** Has a worker perform the only task that is ready; true when it comes with predecessors. */
  private static boolean perform(TaskId expected, TaskState end) {
    EnqueuedTask enqueued =
        tasks
            .enqueue(new EnqueueRequest(NODE, Map.of(queue, 10), 1 << 20, Duration.ZERO, LEASE))
            .getFirst();
    assertThat(enqueued.task().id()).isEqualTo(expected);
    TaskClaim claim = new TaskClaim(enqueued.task(), enqueued.queue(), "worker", enqueued.keyId());
    ClaimResult claims = tasks.claim(List.of(claim), LEASE);
    assertThat(claims.claimed()).hasSize(1);
    FencedTask processing = enqueued.task().next();
    tasks.settle(List.of(new Settlement.Finish(processing, end, "")));
    return !claims.withPredecessors().isEmpty();
  }

  private static void follow() {
    while (tasks.followEnds(1_000) > 0) {
      // until nothing is left
    }
  }

  @ParameterizedTest
  @ValueSource(
      ints = {
        Connection.TRANSACTION_READ_COMMITTED,
        Connection.TRANSACTION_REPEATABLE_READ,
        Connection.TRANSACTION_SERIALIZABLE
      })
  void a_chain_of_one_transaction_runs_in_order_and_nobody_has_to_look(int isolation)
      throws SQLException {
    application.setTransactionIsolation(isolation);
    TaskId first = schedule();
    TaskId second = schedule(first);
    TaskId third = schedule(second);
    assertThat(tasks.find(first)).isEmpty();
    application.commit();

    assertThat(state(second)).isEqualTo(TaskState.AWAITING);
    assertThat(DATABASE.number("select count(*) from task_to_follow")).isZero();
    perform(first, TaskState.SUCCEEDED);
    perform(second, TaskState.SUCCEEDED);
    perform(third, TaskState.SUCCEEDED);
    assertThat(DATABASE.number("select count(*) from task_await")).isZero();
  }

  @Test
  void a_join_waits_for_all_and_each_edge_says_what_a_failure_means() throws SQLException {
    TaskId first = schedule();
    TaskId second = schedule(first);
    TaskId join = schedule(application, after(first, second) + ", on_failure => '{fail,continue}'");
    TaskId failing = schedule(second);
    application.commit();

    perform(first, TaskState.SUCCEEDED);
    assertThat(state(join)).isEqualTo(TaskState.AWAITING);
    perform(second, TaskState.FAILED);
    follow();

    assertThat(state(join)).isEqualTo(TaskState.NEW);
    assertThat(state(failing)).isEqualTo(TaskState.FAILED);
  }

  @Test
  void what_is_rolled_back_to_a_savepoint_leaves_nothing_and_what_is_released_counts()
      throws SQLException {
    Savepoint released = application.setSavepoint();
    TaskId first = schedule();
    application.releaseSavepoint(released);
    Savepoint before = application.setSavepoint();
    TaskId gone = schedule(first);
    application.rollback(before);
    TaskId second = schedule(first);
    application.commit();

    assertThat(tasks.find(gone)).isEmpty();
    assertThat(DATABASE.number("select count(*) from task_edge")).isOne();
    assertThat(DATABASE.number("select count(*) from task_to_follow")).isZero();
    perform(first, TaskState.SUCCEEDED);
    assertThat(state(second)).isEqualTo(TaskState.NEW);
  }

  @Test
  void what_is_rolled_back_leaves_no_edge() throws SQLException {
    schedule(schedule());
    application.rollback();

    for (String table : List.of("task", "task_edge", "task_await", "task_to_follow")) {
      assertThat(DATABASE.number("select count(*) from " + table)).as(table).isZero();
    }
  }

  @Test
  void a_task_may_wait_for_an_earlier_one_which_its_transaction_does_not_lock() throws Exception {
    TaskId first = schedule();
    application.commit();
    TaskId second = schedule(first);

    perform(first, TaskState.SUCCEEDED); // while the transaction is open
    follow();
    application.commit();

    assertThat(state(second)).isEqualTo(TaskState.AWAITING);
    follow();
    assertThat(state(second)).isEqualTo(TaskState.NEW);
  }

  @Test
  void the_end_of_an_earlier_task_that_was_marked_readies_its_successor_at_once() throws Exception {
    TaskId first = schedule();
    application.commit();
    TaskId second = schedule(first);
    application.commit();
    DATABASE.during(
        sql("select from task for update"),
        () -> {
          assertThat(tasks.followEnds(10)).as("without a wait").isZero();
          return null;
        });
    assertThat(tasks.followEnds(10)).isEqualTo(1);
    assertThat(tasks.followEnds(10)).isZero();

    perform(first, TaskState.SUCCEEDED);

    assertThat(state(second)).isEqualTo(TaskState.NEW);
  }

  /** A peer that puts it back may not have seen the edge. */
  @Test
  void an_end_that_is_being_put_back_is_looked_at_when_that_is_done() throws Exception {
    TaskId first = schedule();
    application.commit();
    perform(first, TaskState.FAILED);
    TaskId second = schedule(application, after(first) + ", on_failure => '{block}'");
    application.commit();

    DATABASE.during(
        sql("select from finished_task for update"),
        () -> {
          assertThat(tasks.followEnds(10)).as("without a wait").isZero();
          return null;
        });
    assertThat(DATABASE.number("select count(*) from task_to_follow")).isOne();
    assertThat(tasks.redrive(ALL_FAILED).count()).isOne();
    follow();
    assertThat(DATABASE.number("select count(*) from task_to_follow")).isZero();
    perform(first, TaskState.SUCCEEDED);

    assertThat(state(second)).isEqualTo(TaskState.NEW);
  }

  @Test
  void a_task_that_was_removed_meanwhile_is_looked_at() throws SQLException {
    TaskId first = schedule();
    application.commit();
    perform(first, TaskState.FAILED);
    TaskId second = schedule(first);
    application.commit();
    DATABASE.execute("delete from finished_task");

    follow();

    assertThat(state(second)).isEqualTo(TaskState.FAILED);
  }

  @Test
  void an_end_before_the_call_counts_as_one_after_it() throws SQLException {
    TaskId succeeded = schedule();
    application.commit();
    perform(succeeded, TaskState.SUCCEEDED);
    TaskId failed = schedule();
    application.commit();
    perform(failed, TaskState.FAILED);

    TaskId ready = schedule(succeeded);
    TaskId failing = schedule(failed);
    application.commit();
    follow();

    assertThat(state(ready)).isEqualTo(TaskState.NEW);
    assertThat(state(failing)).isEqualTo(TaskState.FAILED);
  }

  /** As by a call of the API. */
  @Test
  void a_worker_gets_predecessors_that_had_ended_before_the_call_as_those_that_ended_after_it()
      throws SQLException {
    TaskId first = schedule();
    application.commit();
    assertThat(perform(first, TaskState.SUCCEEDED)).as("without predecessors").isFalse();

    TaskId behind = schedule(first);
    application.commit();
    TaskId last = schedule(behind);
    application.commit();
    follow();

    assertThat(perform(behind, TaskState.SUCCEEDED)).isTrue();
    assertThat(perform(last, TaskState.SUCCEEDED)).isTrue();
  }

  @Test
  void transactions_that_wait_for_one_task_do_not_wait_for_each_other() throws Exception {
    TaskId first = schedule();
    application.commit();
    TaskId second = schedule(first);
    TaskId third;
    try (Connection other = connection("grapher")) {
      third = schedule(other, after(first));
      other.commit();
    }
    application.commit();
    follow();

    perform(first, TaskState.SUCCEEDED);
    assertThat(state(second)).isEqualTo(TaskState.NEW);
    assertThat(state(third)).isEqualTo(TaskState.NEW);
  }

  @Test
  void a_role_waits_for_its_own_tasks_only() throws Exception {
    TaskId own = schedule();
    application.commit();
    try (Connection other = connection("bystander")) {
      SQLException refusal =
          catchThrowableOfType(SQLException.class, () -> schedule(other, after(own)));

      assertThat(refusal.getSQLState()).isEqualTo("22023");
      assertThat(refusal.getMessage())
          .contains("after: there is no task " + own + " that this role has scheduled");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          after => '{00000000-0000-0000-0000-000000000001}' | after: there is no task 00000000-0000-0000-0000-000000000001
          after => '{null}' | after: must be different tasks, and none null
          after => array_fill(gen_random_uuid(), array[2]) | after: must be different tasks
          after => array(select gen_random_uuid() from generate_series(1, 10001)) | after: must be at most 10,000
          on_failure => '{fail}' | on_failure: must be given together with after
          after => array[gen_random_uuid()], on_failure => '{}' | after: there is no task
          after => array[gen_random_uuid()], on_failure => '{fail,fail}' | on_failure: must be one for all
          after => array[gen_random_uuid()], on_failure => '{stop}' | on_failure: must be fail, block or continue
          after => array[gen_random_uuid()], on_failure => '{null}' | on_failure: must be fail, block or continue
          fairness_key => '' | fairness_key: must have 1 to 256 characters
          fairness_key => chr(10) | fairness_key: must have 1 to 256 characters
          fairness_weight => 1 | fairness_weight: must be given together with fairness_key
          fairness_key => 'a', fairness_weight => 0 | fairness_weight: must be 1 to 1000
          """)
  void what_breaks_a_rule_is_refused_by_its_name(String arguments, String rule)
      throws SQLException {
    SQLException refusal = refusal(", " + arguments);

    assertThat(refusal.getSQLState()).isEqualTo("22023");
    assertThat(refusal.getMessage()).contains(rule);
  }

  @Test
  void while_a_node_runs_that_does_not_know_edges_there_are_none() throws Exception {
    TaskId first = schedule();
    application.commit();
    String older =
        "insert into node (id, enrolled_at, renewed_at, lapse, schema_known)"
            + " values ('%s', clock_timestamp(), clock_timestamp(), '1 minute', 14)";
    DATABASE.execute(older.formatted(new UUID(2, 2)));
    assertThat(refusal(after(first)).getMessage())
        .contains("after: tasks can wait for others when all nodes know version 15");
    DATABASE.execute("truncate node");

    schedule(first);
    SQLException waited =
        catchThrowableOfType(
            SQLException.class,
            () -> {
              try (Connection enrolling = DATABASE.connect();
                  Statement statement = enrolling.createStatement()) {
                statement.execute("set lock_timeout = '100ms'");
                statement.execute(older.formatted(new UUID(2, 3)));
              }
            });
    assertThat(waited.getSQLState()).isEqualTo("55P03");
    application.commit();
    assertThat(
            catchThrowableOfType(
                    AssertionError.class, () -> DATABASE.execute(older.formatted(new UUID(2, 4))))
                .getCause())
        .hasMessageContaining("needs nodes that know version 15");
  }

  @Test
  void a_task_of_a_graph_that_is_a_duplicate_waits_for_what_it_waited_for() throws SQLException {
    TaskId first = schedule();
    String once = ", idempotency_key => 'k'";
    TaskId second = schedule(application, after(first) + once);
    TaskId again = schedule(application, after(schedule()) + once);
    application.commit();

    assertThat(again).isEqualTo(second);
    assertThat(DATABASE.number("select count(*) from task_edge")).isOne();
  }

  @Test
  void of_two_transactions_with_one_idempotency_key_the_second_gets_the_task_of_the_first()
      throws Exception {
    TaskId[] first = new TaskId[1];
    TaskId second =
        DATABASE.blockedBehind(
            connection -> {
              first[0] = schedule(connection, ", idempotency_key => 'raced', fairness_key => 'a'");
              return true;
            },
            () -> {
              TaskId id =
                  schedule(application, ", idempotency_key => 'raced', fairness_key => 'b'");
              application.commit();
              return id;
            });

    assertThat(second).isEqualTo(first[0]);
    assertThat(DATABASE.number("select count(*) from task")).isOne();
  }

  @Test
  void a_fairness_key_is_kept_and_its_queue_is_marked_by_a_node() throws Exception {
    TaskId id = schedule(application, ", fairness_key => 'tenant 7', fairness_weight => 3");
    TaskId light = schedule(application, ", fairness_key => 'tenant 8'");
    application.commit();

    assertThat(tasks.find(id).orElseThrow().details().fairness())
        .isEqualTo(new Fairness("tenant 7", 3));
    assertThat(tasks.find(light).orElseThrow().details().fairness())
        .isEqualTo(new Fairness("tenant 8", 1));
    assertThat(DATABASE.number("select count(*) from task_share")).isEqualTo(2);
    DATABASE.during(
        sql("select from task_queue for share"),
        () -> {
          assertThat(tasks.fairQueues()).as("while its row is locked").isEmpty();
          return null;
        });
    assertThat(tasks.fairQueues()).containsExactly(queue);
    assertThat(DATABASE.number("select count(*) from task_queue_to_share")).isZero();
    schedule(application, ", fairness_key => 'tenant 7'");
    application.commit();
    assertThat(DATABASE.number("select count(*) from task_queue_to_share")).isZero();
  }

  @Test
  void everybody_can_ask_for_the_version_of_the_functions() throws SQLException {
    try (Statement statement = application.createStatement();
        ResultSet row = statement.executeQuery("select kairos_sql_version()")) {
      row.next();
      assertThat(row.getInt(1)).isEqualTo(20);
    }
  }
}
