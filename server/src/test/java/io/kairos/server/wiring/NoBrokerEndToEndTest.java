package io.kairos.server.wiring;

import static io.kairos.server.wiring.Application.keyed;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.kairos.cli.CliMain;
import io.kairos.client.KairosClient;
import io.kairos.client.ScheduleSpec;
import io.kairos.client.TaskRequest;
import io.kairos.client.TransactionalTasks;
import io.kairos.client.error.InvalidRequestException;
import io.kairos.client.task.PayloadCodec;
import io.kairos.client.worker.Worker;
import io.kairos.embedded.EmbeddedKafka;
import io.kairos.embedded.EmbeddedPostgres;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** A node on a database of its own and nothing else: no broker is named, and none is started. */
class NoBrokerEndToEndTest {
  private static final String database = EmbeddedPostgres.shared().newDatabase();

  @AutoClose
  private static final RunningNode node =
      Configured.ready(RunningNode.start(Configured.withoutBroker(database)));

  @AutoClose
  private static final KairosClient client = KairosClient.connect(Configured.address(node));

  @AutoClose private static final HttpClient http = HttpClient.newHttpClient();

  private static Connection connection() throws SQLException {
    return DriverManager.getConnection(
        database, EmbeddedPostgres.shared().user(), EmbeddedPostgres.shared().password());
  }

  private static void inTransaction(TaskRequest request) throws SQLException {
    try (Connection connection = connection()) {
      connection.setAutoCommit(false);
      TransactionalTasks.schedule(connection, request);
      connection.commit();
    }
  }

  private static HttpResponse<String> send(String path, String body) throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://" + Configured.address(node) + path));
    if (!body.isEmpty()) {
      request.header("content-type", "application/json").POST(BodyPublishers.ofString(body));
    }
    return http.send(request.build(), BodyHandlers.ofString());
  }

  @Test // PD-11, PD-L13
  void tasks_of_calls_of_transactions_and_of_schedules_are_performed() throws Exception {
    BlockingQueue<String> performed = new LinkedBlockingQueue<>();
    try (Worker _ =
        Configured.worker(
            Configured.address(node), "h", PayloadCodec.utf8(), (text, _) -> performed.add(text))) {
      client.schedule(TaskRequest.to("h").payload("call").build());
      inTransaction(TaskRequest.to("h").payload("transaction").build());
      client
          .schedules()
          .create(
              ScheduleSpec.named("s")
                  .every(Duration.ofSeconds(1))
                  .handler("h")
                  .payload("schedule")
                  .build());

      Set<String> came = new HashSet<>();
      while (came.size() < 3) {
        came.add(requireNonNull(performed.poll(30, TimeUnit.SECONDS), () -> "after " + came));
      }
      assertThat(came).containsExactlyInAnyOrder("call", "transaction", "schedule");
    } finally {
      client.schedules().delete("s");
    }
  }

  @Test
  void tasks_are_pushed_to_pools() throws Exception {
    BlockingQueue<String> pushed = new LinkedBlockingQueue<>();
    try (PoolEndpoint _ = PoolEndpoint.of(client, "p", pushed::add)) {
      client.schedule(TaskRequest.toPool("p", "/").payload("pushed").build());

      assertThat(pushed.poll(30, TimeUnit.SECONDS)).isEqualTo("pushed");
    }
  }

  @Test
  void a_topic_is_refused_at_every_door_with_its_field_and_what_to_do() throws Exception {
    assertThat(refused(() -> client.schedule(TaskRequest.toTopic("orders").payload("x").build())))
        .isEqualTo("topic.name");
    assertThat(
            refused(() ->
                client
                    .schedules()
                    .create(
                        ScheduleSpec.named("t")
                            .every(Duration.ofSeconds(1))
                            .topic("orders")
                            .build())))
        .isEqualTo("schedule.target.topic.name");
    HttpResponse<String> answer =
        send("/v1/tasks", "{\"topic\": {\"name\": \"orders\"}, \"payload\": \"eA==\"}");
    assertThat(answer.statusCode()).isEqualTo(501);
    assertThat(answer.body()).contains("\"field\":\"topic.name\"", "kafka.bootstrap-servers");
    StringWriter errors = new StringWriter();
    CommandLine line = CliMain.commandLine("delay").setErr(new PrintWriter(errors, true));
    assertThat(
            line.execute(
                "delay",
                "--address=" + Configured.address(node),
                "send",
                "--topic",
                "orders",
                "--delay",
                "1h"))
        .isEqualTo(1);
    assertThat(errors.toString()).contains("topic.name: ", "kafka.bootstrap-servers");
    assertThatThrownBy(() -> inTransaction(TaskRequest.toTopic("orders").payload("x").build()))
        .hasMessageContaining("topic: orders must be the output topic of a route");

    assertThat(count("select count(*) from delayed_message")).isZero();
    assertThat(count("select count(*) from schedule where name = 't'")).isZero();
  }

  /** The field of the refusal, which says what to do. */
  private static String refused(ThrowingCallable call) {
    InvalidRequestException refusal = catchThrowableOfType(InvalidRequestException.class, call);
    assertThat(refusal).hasMessageContaining("kafka.bootstrap-servers");
    return refusal.field();
  }

  private static int count(String query) throws SQLException {
    try (Connection connection = connection();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      rows.next();
      return rows.getInt(1);
    }
  }

  @Test
  void it_is_ready_and_has_nothing_of_a_delay_queue() throws Exception {
    HttpResponse<String> ready = send("/readyz", "");

    assertThat(ready.statusCode()).isEqualTo(200);
    assertThat(ready.body()).contains("\"tasks\"", "\"schedules\"", "\"pools\"");
    assertThat(ready.body()).doesNotContain("delay");
    assertThat(send("/readyz?door=tasks", "").statusCode()).isEqualTo(200);
    assertThat(send("/readyz?door=delay", "").statusCode()).isEqualTo(404);
    assertThat(send("/v1/poll", "{}").body())
        .contains("fire-schedules")
        .doesNotContain("\"claim\"", "takeover", "backstop");
    assertThat(node.metrics()).contains("kairos_node_ready 1.0").doesNotContain("kairos_delay");
    assertThat(node.places().bootstrapServers()).isEqualTo("none");
  }

  /** As after an upgrade of a node that had an embedded broker because nothing named one. */
  @Test
  void messages_that_wait_for_a_broker_refuse_the_start_until_none_is_wanted() {
    String upgraded = EmbeddedPostgres.shared().newDatabase();
    String run = UUID.randomUUID().toString().substring(0, 8);
    try (RunningNode before = Configured.startedOn(upgraded, Configured.route(run));
        KairosClient there = KairosClient.connect(Configured.address(before))) {
      there.schedule(TaskRequest.toTopic(run + ".out").delay(Duration.ofHours(1)).build());
    }

    assertThatThrownBy(() -> RunningNode.start(Configured.withoutBroker(upgraded)))
        .isInstanceOf(StartException.class)
        .hasMessageContaining("only (1)")
        .hasMessageContaining("kafka.bootstrap-servers");
    Configured.ready(RunningNode.start(Configured.withoutBroker(upgraded, "kafka=none"))).close();
  }

  /** A schedule for a topic may be decided by any node; the message waits for one with a broker. */
  @Test
  void beside_nodes_with_a_broker_it_decides_schedules_for_topics_and_they_publish() {
    String run = UUID.randomUUID().toString().substring(0, 8);
    String shared = EmbeddedPostgres.shared().newDatabase();
    String[] route = Configured.route(run);
    try (RunningNode with = Configured.startedOn(shared, route);
        KairosClient there = KairosClient.connect(Configured.address(with))) {
      there
          .schedules()
          .create(
              ScheduleSpec.named("yearly")
                  .cron("0 0 1 1 *")
                  .topic(run + ".out")
                  .messageKey(run.getBytes(UTF_8))
                  .payload("x")
                  .build());
    }
    try (RunningNode without =
            Configured.ready(RunningNode.start(Configured.withoutBroker(shared)));
        KairosClient here = KairosClient.connect(Configured.address(without))) {
      here.schedules().trigger("yearly");

      try (RunningNode _ = Configured.startedOn(shared, route);
          Application application = new Application(EmbeddedKafka.shared().bootstrapServers())) {
        assertThat(application.receive(run + ".out", 1, keyed(run))).hasSize(1);
        here.schedules().trigger("yearly");
        assertThat(application.receive(run + ".out", 2, keyed(run))).hasSize(2);
      }
    }
  }
}
