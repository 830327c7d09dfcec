package io.kairos.server.wiring;

import static io.kairos.server.wiring.Application.value;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.kairos.client.KairosClient;
import io.kairos.client.ScheduleSpec;
import io.kairos.client.TaskRequest;
import io.kairos.client.TransactionalTasks;
import io.kairos.client.task.PayloadCodec;
import io.kairos.client.worker.Worker;
import io.kairos.embedded.EmbeddedKafka;
import io.kairos.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever comes in by any door leaves by the one that it names, once and byte for byte. */
class EveryDoorEndToEndTest {
  private static final String RUN = UUID.randomUUID().toString().substring(0, 8);
  private static final String OUT = RUN + ".out";
  private static final HttpClient HTTP = HttpClient.newHttpClient();
  private static final BlockingQueue<String> AT_WORKER = new LinkedBlockingQueue<>();
  private static final BlockingQueue<String> AT_ENDPOINT = new LinkedBlockingQueue<>();

  private static String database;
  private static RunningNode node;
  private static Application application;
  private static KairosClient client;
  private static Worker worker;
  private static PoolEndpoint endpoint;

  enum In {
    CALL,
    BATCH,
    REST,
    MESSAGE,
    SCHEDULE,
    /** The application's own, in the database of the node. */
    TRANSACTION
  }

  enum Out {
    HANDLER,
    TOPIC,
    POOL
  }

  @BeforeAll
  static void start() throws IOException {
    database = EmbeddedPostgres.shared().newDatabase();
    node =
        Configured.startedOn(
            database, Configured.route(RUN, "allowed-handlers=h", "allowed-pools=p"));
    application = new Application(EmbeddedKafka.shared().bootstrapServers());
    String address = Configured.address(node);
    client = KairosClient.connect(address);
    worker = Worker.connect(address);
    worker.handle("h", PayloadCodec.utf8(), (payload, _) -> AT_WORKER.add(payload));
    worker.start();
    endpoint = PoolEndpoint.of(client, "p", AT_ENDPOINT::add);
  }

  @AfterAll
  static void stop() {
    worker.close();
    endpoint.close();
    client.close();
    application.close();
    node.close();
  }

  static Stream<Arguments> doors() {
    return Stream.of(In.values())
        .flatMap(in -> Stream.of(Out.values()).map(out -> Arguments.of(in, out)));
  }

  @ParameterizedTest
  @EnumSource
  void a_pool_cannot_be_named_as_a_handler(In in) throws Exception {
    TaskRequest request = TaskRequest.to("pool:p").payload("smuggled").build();

    String refusal =
        switch (in) {
          case CALL -> refusal(() -> client.schedule(request));
          case BATCH -> refusal(() -> client.schedule(List.of(request)));
          case REST -> rest("\"handler\": \"pool:p\"", "smuggled").body();
          case MESSAGE -> {
            application.send(
                Application.message(
                    RUN + ".in",
                    "smuggled",
                    "",
                    "kairos-id",
                    "smuggled",
                    "kairos-delay",
                    "PT0S",
                    "kairos-handler",
                    "pool:p"));
            yield String.valueOf(
                Application.header(
                    application.receive(RUN + ".dead", 1, _ -> true).getFirst(),
                    "kairos-reason-detail"));
          }
          case SCHEDULE ->
              refusal(() ->
                  client
                      .schedules()
                      .create(
                          ScheduleSpec.named("smuggled")
                              .at(Instant.EPOCH)
                              .handler("pool:p")
                              .build()));
          case TRANSACTION -> refusal(() -> inTransaction(request));
        };

    assertThat(refusal).contains("must not begin with pool:, which is for pools");
  }

  private static String refusal(ThrowingCallable call) {
    return String.valueOf(catchThrowable(call).getMessage());
  }

  private static void inTransaction(TaskRequest request) throws SQLException {
    try (Connection connection =
        DriverManager.getConnection(
            database, EmbeddedPostgres.shared().user(), EmbeddedPostgres.shared().password())) {
      connection.setAutoCommit(false);
      TransactionalTasks.schedule(connection, request);
      connection.commit();
    }
  }

  @ParameterizedTest
  @MethodSource("doors")
  void what_comes_in_here_goes_out_there(In in, Out out) throws Exception {
    String what = in + " to " + out;

    switch (in) {
      case CALL -> client.schedule(request(out, what));
      case BATCH -> client.schedule(List.of(request(out, what), request(out, what + " again")));
      case REST -> {
        HttpResponse<String> answer = rest(destination(out), what);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
      }
      case MESSAGE -> application.send(message(out, what));
      case SCHEDULE -> client.schedules().create(once(out, what));
      case TRANSACTION -> inTransaction(request(out, what));
    }

    List<String> expected = in == In.BATCH ? List.of(what, what + " again") : List.of(what);
    assertThat(come(out, expected.size(), what)).containsExactlyInAnyOrderElementsOf(expected);
  }

  private static TaskRequest request(Out out, String what) {
    TaskRequest.Builder request =
        switch (out) {
          case HANDLER -> TaskRequest.to("h");
          case TOPIC -> TaskRequest.toTopic(OUT);
          case POOL -> TaskRequest.toPool("p", "/");
        };
    return request.payload(what).build();
  }

  /** At a whole second, as every fire time is; one that has passed when it arrives never comes. */
  private static ScheduleSpec once(Out out, String what) {
    ScheduleSpec.Builder schedule =
        ScheduleSpec.named("once-to-" + out)
            .at(Instant.now().truncatedTo(ChronoUnit.SECONDS).plusSeconds(6))
            .payload(what);
    return switch (out) {
      case HANDLER -> schedule.handler("h").build();
      case TOPIC -> schedule.topic(OUT).build();
      case POOL -> schedule.pool("p", "POST", "/").build();
    };
  }

  private static String destination(Out out) {
    return switch (out) {
      case HANDLER -> "\"handler\": \"h\"";
      case TOPIC -> "\"topic\": {\"name\": \"" + OUT + "\"}";
      case POOL -> "\"pool\": {\"name\": \"p\"}";
    };
  }

  private static HttpResponse<String> rest(String to, String what)
      throws IOException, InterruptedException {
    String payload = Base64.getEncoder().encodeToString(what.getBytes(UTF_8));
    return HTTP.send(
        HttpRequest.newBuilder(URI.create("http://" + Configured.address(node) + "/v1/tasks"))
            .header("content-type", "application/json")
            .POST(BodyPublishers.ofString("{" + to + ", \"payload\": \"" + payload + "\"}"))
            .build(),
        BodyHandlers.ofString());
  }

  private static ProducerRecord<byte[], byte[]> message(Out out, String what) {
    String[] always = {"kairos-id", what, "kairos-delay", "PT0.1S"};
    String[] named =
        switch (out) {
          case HANDLER -> new String[] {"kairos-handler", "h"};
          case TOPIC -> new String[0];
          case POOL -> new String[] {"kairos-pool", "p"};
        };
    return Application.message(
        RUN + ".in",
        what,
        what,
        Stream.concat(Stream.of(always), Stream.of(named)).toArray(String[]::new));
  }

  private static List<String> come(Out out, int count, String what) throws InterruptedException {
    return switch (out) {
      case HANDLER -> taken(AT_WORKER, count);
      case POOL -> taken(AT_ENDPOINT, count);
      case TOPIC ->
          application.receive(OUT, count, record -> value(record).startsWith(what)).stream()
              .map(Application::value)
              .toList();
    };
  }

  private static List<String> taken(BlockingQueue<String> queue, int count)
      throws InterruptedException {
    List<String> taken = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      taken.add(requireNonNull(queue.poll(30, TimeUnit.SECONDS), "nothing has come"));
    }
    assertThat(queue).isEmpty();
    return taken;
  }
}
