package io.kairos.server.wiring;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.kairos.cli.text.ApiMessages;
import io.kairos.client.AppliedSchedule;
import io.kairos.client.KairosClient;
import io.kairos.client.PoolDefinition;
import io.kairos.client.ScheduleSpec;
import io.kairos.client.Task;
import io.kairos.client.TaskOutcome;
import io.kairos.client.TaskRequest;
import io.kairos.client.TransactionalTasks;
import io.kairos.client.encryption.EncryptedPayloads;
import io.kairos.client.encryption.PayloadDecryptionException;
import io.kairos.client.encryption.PayloadKeys;
import io.kairos.client.error.InvalidRequestException;
import io.kairos.client.handler.FatalFailure;
import io.kairos.client.handler.Handler;
import io.kairos.client.handler.RetryLater;
import io.kairos.client.push.EncryptedReceiver;
import io.kairos.client.push.PushHandler;
import io.kairos.client.push.PushReply;
import io.kairos.client.push.WebhookVerifier;
import io.kairos.client.task.PayloadCodec;
import io.kairos.client.task.RetryPolicy;
import io.kairos.client.task.TaskId;
import io.kairos.client.task.TaskResult;
import io.kairos.client.task.TaskState;
import io.kairos.client.worker.Worker;
import io.kairos.client.worker.WorkerListener;
import io.kairos.embedded.EmbeddedPostgres;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Payloads that are encrypted by the client, against a whole node on real Postgres. */
class EncryptionEndToEndTest {
  private static final String CANARY = "canary-of-Anna-42";
  private static final RetryPolicy QUICK =
      RetryPolicy.attempts(50).backoff(Duration.ofMillis(20), 1, Duration.ofMillis(20));

  private static final String database = EmbeddedPostgres.shared().newDatabase();

  @AutoClose
  private static final RunningNode node =
      Configured.ready(RunningNode.start(Configured.withoutBroker(database)));

  private static final String address = Configured.address(node);
  private static final EncryptedPayloads payloads = keys("k1");

  @AutoClose private static final KairosClient client = client(payloads);
  @AutoClose private static final KairosClient plain = KairosClient.connect(address);

  /** Keys with these ids; an id always has the same key. */
  private static EncryptedPayloads keys(String... ids) {
    StringBuilder lines = new StringBuilder();
    for (String id : ids) {
      String key = Base64.getEncoder().encodeToString(id.repeat(16).getBytes(UTF_8));
      lines.append(id).append(':').append(key).append('\n');
    }
    return EncryptedPayloads.with(PayloadKeys.parse(lines.toString()));
  }

  private static KairosClient client(EncryptedPayloads with) {
    return KairosClient.builder(address).encryption(with).build();
  }

  private static Worker worker(EncryptedPayloads with, String handler, Handler<String> code) {
    return worker(with, handler, code, WorkerListener.NONE);
  }

  private static Worker worker(
      EncryptedPayloads with, String handler, Handler<String> code, WorkerListener listener) {
    Worker worker = Worker.builder(address).encryption(with).listener(listener).build();
    worker.handle(handler, PayloadCodec.utf8(), code).start();
    return worker;
  }

  private static Connection connection() throws SQLException {
    return DriverManager.getConnection(
        database, EmbeddedPostgres.shared().user(), EmbeddedPostgres.shared().password());
  }

  /** Returns the tables of the database that have the canary, as text or as bytes. */
  private static List<String> tablesWith(String canary) throws SQLException {
    String bytes = HexFormat.of().formatHex(canary.getBytes(UTF_8));
    String base64 = Base64.getEncoder().encodeToString(canary.getBytes(UTF_8));
    List<String> found = new ArrayList<>();
    try (Connection connection = connection();
        Statement tables = connection.createStatement();
        Statement rows = connection.createStatement();
        ResultSet table =
            tables.executeQuery(
                "select quote_ident(schemaname) || '.' || quote_ident(tablename) from pg_tables"
                    + " where schemaname not in ('pg_catalog', 'information_schema')")) {
      while (table.next()) {
        String name = String.valueOf(table.getString(1));
        try (ResultSet row = rows.executeQuery("select r::text from " + name + " r")) {
          while (row.next()) {
            String text = String.valueOf(row.getString(1));
            if (text.contains(canary) || text.contains(bytes) || text.contains(base64)) {
              found.add(name);
            }
          }
        }
      }
    }
    return found;
  }

  private static Task ended(TaskId id) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    Task task = plain.get(id);
    while (!task.state().isFinished()) {
      assertThat(System.nanoTime()).as("%s goes on: %s", task, task.failures()).isLessThan(end);
      Thread.onSpinWait();
      task = plain.get(id);
    }
    return task;
  }

  private static void update(String sql) throws SQLException {
    try (Connection connection = connection();
        Statement statement = connection.createStatement()) {
      statement.executeUpdate(sql);
    }
  }

  @Test
  void no_row_of_the_store_shows_a_payload_an_error_or_a_result() throws Exception {
    BlockingQueue<String> performed = new LinkedBlockingQueue<>();
    BlockingQueue<String> pushed = new LinkedBlockingQueue<>();
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.start();
    String secret =
        client
            .pools()
            .create(
                PoolDefinition.of("sealed")
                    .listed("http://127.0.0.1:" + server.getAddress().getPort()))
            .secrets()
            .get(0);
    server.createContext(
        "/",
        new PushHandler(
            WebhookVerifier.of(secret),
            new EncryptedReceiver(
                payloads,
                "sealed",
                push -> {
                  pushed.add(push.text());
                  if (push.attempt() == 1) {
                    throw new RetryLater("refused " + push.text(), Duration.ZERO);
                  }
                  return PushReply.done("sent to " + push.text());
                })));

    TaskId id = client.schedule(TaskRequest.to("mail").payload(CANARY).retryPolicy(QUICK).build());
    TaskId valued = client.schedule(TaskRequest.to("mail").payload(CANARY).build());
    TaskId toPool = client.schedule(TaskRequest.toPool("sealed", "/").payload(CANARY).build());
    ScheduleSpec nightly =
        ScheduleSpec.named("nightly").cron("0 3 * * *").handler("mail").payload(CANARY).build();
    client.schedules().create(nightly);
    client.schedules().trigger("nightly");
    try (Connection connection = connection()) {
      connection.setAutoCommit(false);
      TransactionalTasks.schedule(
          connection, TaskRequest.to("mail").payload(CANARY).build(), payloads);
      connection.commit();
    }
    assertThat(tablesWith(CANARY)).isEmpty();
    try (Worker _ =
        worker(
            payloads,
            "mail",
            (payload, context) -> {
              performed.add(payload);
              context.progress(50, "half of " + payload);
              context.result(TaskResult.text("sent to " + payload));
              if (context.taskId().equals(id) && context.attempt() == 1) {
                throw new IllegalArgumentException("no mailbox for " + payload);
              }
              if (context.taskId().equals(id)) {
                throw new FatalFailure("gave up on " + payload);
              }
            })) {
      for (int i = 0; i < 5; i++) {
        assertThat(performed.poll(60, TimeUnit.SECONDS)).isEqualTo(CANARY);
      }
      ended(id);
      ended(toPool);
      ended(valued);
    }
    server.stop(0);
    assertThat(client.await(valued, Duration.ZERO))
        .isInstanceOfSatisfying(
            TaskOutcome.Succeeded.class,
            done -> assertThat(done.value(PayloadCodec.utf8())).isEqualTo("sent to " + CANARY));

    Task task = client.get(id);
    assertThat(task.payload()).isEqualTo(CANARY.getBytes(UTF_8));
    assertThat(task.failures())
        .extracting(Task.Failure::error)
        .containsExactly(
            "java.lang.IllegalArgumentException: no mailbox for " + CANARY, "gave up on " + CANARY);
    assertThat(plain.get(id).failures())
        .extracting(Task.Failure::errorClass)
        .containsExactly(IllegalArgumentException.class.getName(), FatalFailure.class.getName());
    assertThat(pushed).containsExactly(CANARY, CANARY);
    Task viaPool = client.get(toPool);
    assertThat(viaPool.result()).isEqualTo("sent to " + CANARY);
    assertThat(viaPool.failures())
        .singleElement()
        .satisfies(failure -> assertThat(failure.error()).isEqualTo("HTTP 503: refused " + CANARY));
    assertThat(plain.get(toPool).result()).startsWith("kairos-encrypted:");
    assertThat(
            ApiMessages.of(client.schedules().get("nightly").spec())
                .getTarget()
                .getPayload()
                .toStringUtf8())
        .isEqualTo(CANARY);
    assertThat(tablesWith(CANARY)).isEmpty();
    plain.schedule(TaskRequest.to("nobody").payload(CANARY).build());
    assertThat(tablesWith(CANARY)).as("the search itself").isNotEmpty();
  }

  @Test
  void a_schedule_applied_twice_is_unchanged_until_the_key_is_rotated() {
    ScheduleSpec spec =
        ScheduleSpec.named("weekly").cron("0 3 * * 1").handler("mail").payload(CANARY).build();

    assertThat(client.schedules().apply(spec).outcome()).isEqualTo(AppliedSchedule.Outcome.CREATED);
    assertThat(client.schedules().apply(spec).outcome())
        .isEqualTo(AppliedSchedule.Outcome.UNCHANGED);
    try (KairosClient rotated = client(keys("k2", "k1"))) {
      assertThat(rotated.schedules().apply(spec).outcome())
          .isEqualTo(AppliedSchedule.Outcome.CHANGED);
      assertThat(rotated.schedules().apply(spec).outcome())
          .isEqualTo(AppliedSchedule.Outcome.UNCHANGED);
    }
    assertThatThrownBy(() -> client.schedules().get("weekly"))
        .isInstanceOf(PayloadDecryptionException.class)
        .hasMessageContaining("the key k2");
    assertThatThrownBy(() ->
            client
                .schedules()
                .update(ScheduleSpec.named("weekly").handler("pay").build(), List.of()))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("both handler");
  }

  @Test
  void a_worker_without_the_key_fails_the_attempt_until_it_gets_the_key() throws Exception {
    BlockingQueue<String> performed = new LinkedBlockingQueue<>();
    BlockingQueue<String> ended = new LinkedBlockingQueue<>();
    WorkerListener listener =
        new WorkerListener() {
          @Override
          public void ended(
              String handler, io.kairos.client.worker.AttemptEnding ending, Duration took) {
            ended.add(ending.name());
          }
        };
    TaskId id;
    try (KairosClient rotated = client(keys("k2", "k1"))) {
      id = rotated.schedule(TaskRequest.to("late").payload(CANARY).retryPolicy(QUICK).build());
    }

    try (Worker _ = worker(payloads, "late", (payload, _) -> performed.add(payload), listener)) {
      assertThat(ended.poll(60, TimeUnit.SECONDS)).isEqualTo("RETRY_LATER");
    }
    assertThat(performed).isEmpty();
    assertThat(plain.get(id).failures().getFirst().error())
        .isEqualTo(
            "the payload cannot be decrypted: it is encrypted with the key k2, which this process"
                + " does not have");
    try (Worker _ = worker(keys("k1", "k2"), "late", (payload, _) -> performed.add(payload))) {
      assertThat(performed.poll(60, TimeUnit.SECONDS)).isEqualTo(CANARY);
    }
  }

  @Test
  void payloads_swapped_between_two_handlers_fail_for_good() throws Exception {
    BlockingQueue<String> performed = new LinkedBlockingQueue<>();
    TaskId pay = client.schedule(TaskRequest.to("pay").payload("to Anna").build());
    TaskId note = client.schedule(TaskRequest.to("note").payload(CANARY).build());
    update(
        """
        update task t set payload = other.payload from task other
         where t.id in ('%s', '%s') and other.id in ('%1$s', '%2$s') and other.id <> t.id
        """
            .formatted(pay, note));

    try (Worker worker = Worker.builder(address).encryption(payloads).build()) {
      worker.handle("pay", PayloadCodec.utf8(), (payload, _) -> performed.add(payload));
      worker.handle("note", PayloadCodec.utf8(), (payload, _) -> performed.add(payload));
      worker.start();

      for (TaskId id : List.of(pay, note)) {
        Task task = ended(id);
        assertThat(task.state()).isEqualTo(TaskState.FAILED);
        assertThat(task.failures().getFirst().error())
            .contains("changed after its encryption with the key k1, or encrypted for another");
        assertThatThrownBy(() -> client.get(id)).isInstanceOf(PayloadDecryptionException.class);
      }
    }
    assertThat(performed).isEmpty();
  }

  @Test
  void a_payload_in_plain_text_is_refused_unless_the_worker_accepts_both() throws Exception {
    BlockingQueue<String> performed = new LinkedBlockingQueue<>();
    TaskId refused =
        plain.schedule(
            TaskRequest.to("plain")
                .payload("injected")
                .retryPolicy(RetryPolicy.attempts(1))
                .build());

    try (Worker _ = worker(payloads, "plain", (payload, _) -> performed.add(payload))) {
      Task task = ended(refused);
      assertThat(task.state()).isEqualTo(TaskState.DEAD);
      assertThat(task.failures().getFirst().error())
          .contains("not encrypted, and plain text is not accepted");
    }
    assertThat(performed).isEmpty();
    plain.schedule(TaskRequest.to("plain").payload("old").build());
    client.schedule(TaskRequest.to("plain").payload("new").build());
    try (Worker _ =
        worker(payloads.acceptingPlaintext(), "plain", (payload, _) -> performed.add(payload))) {
      assertThat(List.of(performed.take(), performed.take()))
          .containsExactlyInAnyOrder("old", "new");
    }
  }
}
