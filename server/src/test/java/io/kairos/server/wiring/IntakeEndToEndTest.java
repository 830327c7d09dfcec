package io.kairos.server.wiring;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.kairos.client.Graph;
import io.kairos.client.Idempotency;
import io.kairos.client.Idempotency.OnConflict;
import io.kairos.client.KairosClient;
import io.kairos.client.Task;
import io.kairos.client.TaskQuery;
import io.kairos.client.TaskRequest;
import io.kairos.client.TransactionalTasks;
import io.kairos.client.error.InvalidRequestException;
import io.kairos.client.error.TaskConflictException;
import io.kairos.client.error.TaskNotFoundException;
import io.kairos.client.task.OnFailure;
import io.kairos.client.task.PayloadCodec;
import io.kairos.client.task.ScheduledTask;
import io.kairos.client.task.TaskId;
import io.kairos.client.worker.Worker;
import io.kairos.embedded.EmbeddedPostgres;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/**
 * What applications schedule once, or in their own transactions, on two nodes that hardly ever
 * poll: what starts soon was told to them.
 */
class IntakeEndToEndTest {
  private static final String HARDLY_EVER = "tasks.poll-interval=60s";

  private static final String database = EmbeddedPostgres.shared().newDatabase();
  @AutoClose private static final RunningNode one = Configured.startedOn(database, HARDLY_EVER);
  @AutoClose private static final RunningNode other = Configured.startedOn(database, HARDLY_EVER);

  @AutoClose
  private static final KairosClient client = KairosClient.connect(Configured.address(one));

  private static Connection transaction() throws SQLException {
    EmbeddedPostgres postgres = EmbeddedPostgres.shared();
    Connection connection =
        DriverManager.getConnection(database, postgres.user(), postgres.password());
    connection.setAutoCommit(false);
    return connection;
  }

  /** What a worker of this node is given. */
  private static Worker worker(RunningNode node, String handler, BlockingQueue<String> performed) {
    return Configured.worker(
        Configured.address(node),
        handler,
        PayloadCodec.utf8(),
        (payload, context) -> performed.add(payload));
  }

  private static String next(BlockingQueue<String> performed) throws InterruptedException {
    return requireNonNull(performed.poll(30, TimeUnit.SECONDS), "nothing was performed");
  }

  @Test
  void a_task_is_performed_if_and_only_if_the_applications_transaction_commits() throws Exception {
    BlockingQueue<String> performed = new LinkedBlockingQueue<>();
    try (Worker _ = worker(other, "invoice", performed);
        Connection connection = transaction();
        Statement statement = connection.createStatement()) {
      statement.execute("create table orders (id text primary key)");
      connection.commit();

      statement.execute("insert into orders values ('committed')");
      TaskId kept =
          TransactionalTasks.schedule(
              connection,
              TaskRequest.to("invoice").payload("committed").priority(50).key("customer").build());
      connection.commit();
      assertThat(next(performed)).isEqualTo("committed");

      statement.execute("insert into orders values ('rolled back')");
      TaskId gone =
          TransactionalTasks.schedule(
              connection, TaskRequest.to("invoice").payload("rolled back").build());
      connection.rollback();

      assertThat(performed).isEmpty();
      assertThat(client.get(kept).key()).isEqualTo("customer");
      assertThat(catchThrowableOfType(TaskNotFoundException.class, () -> client.get(gone)))
          .isNotNull();
    }
  }

  @Test
  void everything_that_a_request_says_arrives_by_the_applications_transaction_too()
      throws Exception {
    Instant due = Instant.parse("2040-01-01T00:00:00.000001Z");
    TaskRequest request =
        TaskRequest.to("rare")
            .payload("bytes")
            .runAt(due.plusNanos(1))
            .priority(7)
            .collection("import")
            .startDeadline(due.plusSeconds(60))
            .executionTimeout(Duration.ofMillis(1_500))
            .retryPolicy(io.kairos.client.task.RetryPolicy.attempts(3))
            .idempotency(Idempotency.key("k").forTime(Duration.ofHours(1)))
            .build();

    Task task;
    try (Connection connection = transaction()) {
      TaskId id = TransactionalTasks.schedule(connection, request);
      assertThat(TransactionalTasks.schedule(connection, request)).isEqualTo(id);
      connection.commit();
      task = client.get(id);
      assertThat(client.accept(request)).isEqualTo(new ScheduledTask(id, true));
    }

    assertThat(task.runAt()).as("never early").isEqualTo(due.plusNanos(1_000));
    assertThat(task.priority()).isEqualTo(7);
    assertThat(task.collection()).isEqualTo("import");
    assertThat(task.startDeadline()).isEqualTo(due.plusSeconds(60));
    assertThat(task.payload()).asString().isEqualTo("bytes");
    assertThat(task.retryPolicy().maxAttempts()).isEqualTo(3);
    assertThat(client.list(TaskQuery.all().handler("rare").collection("import")).tasks())
        .extracting(Task::id)
        .containsExactly(task.id());
  }

  @Test
  void the_applications_transaction_takes_reject_beyond_as_a_node_does() throws Exception {
    Instant due = Instant.now().minusSeconds(60).truncatedTo(ChronoUnit.MICROS);
    TaskRequest.Builder request = TaskRequest.to("late").runAt(due);
    try (Connection connection = transaction()) {
      TaskId id =
          TransactionalTasks.schedule(
              connection, request.rejectBeyond(Duration.ofHours(1)).build());
      connection.commit();
      assertThat(client.get(id).startDeadline()).isEqualTo(due.plus(Duration.ofHours(1)));
      TaskRequest tooLate = request.rejectBeyond(Duration.ofSeconds(10)).build();
      SQLException refusal =
          catchThrowableOfType(
              SQLException.class, () -> TransactionalTasks.schedule(connection, tooLate));
      assertThat(refusal.getMessage())
          .contains("run_at: must not lie further in the past than reject_beyond");
    }
  }

  @Test
  void a_graph_of_one_transaction_runs_in_order_and_what_is_added_later_too() throws Exception {
    BlockingQueue<String> performed = new LinkedBlockingQueue<>();
    Graph graph = new Graph();
    Graph.Step publish = graph.add(step("publish"));
    Graph.Step check = graph.add(step("check"));
    Graph.Step load = graph.add(step("load"));
    check.after(load);
    publish.after(load).after(check, OnFailure.CONTINUE);
    try (Worker _ = worker(other, "step", performed);
        Connection connection = transaction()) {
      List<TaskId> ids = TransactionalTasks.scheduleAll(connection, graph.tasks());
      assertThat(catchThrowableOfType(TaskNotFoundException.class, () -> client.get(ids.get(0))))
          .isNotNull();
      connection.commit();
      for (String what : List.of("load", "check", "publish")) {
        assertThat(next(performed)).isEqualTo(what);
      }

      TaskRequest later =
          TaskRequest.to("step")
              .payload("later")
              .after(ids.get(2)) // has ended, as others have begun
              .fairnessKey("tenant")
              .fairnessWeight(2)
              .build();
      TransactionalTasks.schedule(connection, later);
      connection.commit();
      assertThat(next(performed)).isEqualTo("later");

      check.after(publish);
      assertThat(
              catchThrowableOfType(
                  InvalidRequestException.class,
                  () -> TransactionalTasks.scheduleAll(connection, graph.tasks())))
          .hasMessageContaining("tasks: must not wait for each other in a cycle");
    }
  }

  private static TaskRequest step(String what) {
    return TaskRequest.to("step").payload(what).build();
  }

  @Test
  void a_database_whose_functions_are_too_old_is_told_with_what_to_do() throws Exception {
    EmbeddedPostgres postgres = EmbeddedPostgres.shared();
    for (TaskRequest request :
        List.of(
            TaskRequest.to("h").fairnessKey("a").build(), TaskRequest.toTopic("orders").build())) {
      try (Connection connection =
          DriverManager.getConnection(
              postgres.newDatabase(), postgres.user(), postgres.password())) {
        connection.setAutoCommit(false);
        SQLException refusal =
            catchThrowableOfType(
                SQLException.class, () -> TransactionalTasks.schedule(connection, request));
        assertThat(refusal.getSQLState()).isEqualTo("42883");
        assertThat(refusal.getMessage()).contains("start a node that brings the schema to version");
      }
    }
  }

  @Test
  void what_binds_a_task_to_no_transaction_is_refused() throws Exception {
    TaskRequest request = TaskRequest.to("h").build();
    TaskRequest replacing =
        TaskRequest.to("h")
            .idempotency(Idempotency.key("k").onConflict(OnConflict.REPLACE))
            .build();
    try (Connection connection = transaction()) {
      assertThat(
              catchThrowableOfType(
                  InvalidRequestException.class,
                  () -> TransactionalTasks.schedule(connection, replacing)))
          .hasMessageContaining("REPLACE");
      connection.setAutoCommit(true);
      assertThat(
              catchThrowableOfType(
                  IllegalStateException.class,
                  () -> TransactionalTasks.schedule(connection, request)))
          .hasMessageContaining("auto-commit");
    }
  }

  @Test
  void a_task_that_one_node_takes_in_starts_at_another_without_waiting_for_its_poll()
      throws Exception {
    BlockingQueue<String> performed = new LinkedBlockingQueue<>();
    try (Worker _ = worker(other, "elsewhere", performed)) {
      client.schedule(TaskRequest.to("elsewhere").payload("first").build());
      assertThat(next(performed)).isEqualTo("first");

      client.schedule(TaskRequest.to("elsewhere").payload("second").build());
      assertThat(next(performed)).isEqualTo("second");
    }
  }

  @Test // PD-15
  void a_task_with_an_idempotency_key_is_scheduled_once() {
    TaskRequest first =
        TaskRequest.to("once")
            .payload("first")
            .delay(Duration.ofHours(1))
            .idempotency(Idempotency.key("order 7"))
            .build();
    TaskRequest.Builder second = TaskRequest.to("once").payload("second");

    ScheduledTask accepted = client.accept(first);
    assertThat(accepted.duplicate()).isFalse();
    assertThat(client.accept(List.of(first, TaskRequest.to("once").build())))
        .first()
        .isEqualTo(new ScheduledTask(accepted.id(), true));
    assertThat(
            catchThrowableOfType(
                TaskConflictException.class,
                () ->
                    client.schedule(
                        second
                            .idempotency(Idempotency.key("order 7").onConflict(OnConflict.ERROR))
                            .build())))
        .hasMessageContaining(accepted.id().toString());
    assertThat(
            client.accept(
                second
                    .delay(Duration.ofHours(2))
                    .idempotency(Idempotency.key("order 7").onConflict(OnConflict.REPLACE))
                    .build()))
        .isEqualTo(new ScheduledTask(accepted.id(), true));
    assertThat(client.get(accepted.id()).payload()).asString().isEqualTo("second");
    client.cancel(accepted.id());
    assertThat(client.accept(first).duplicate()).isFalse();
  }
}
