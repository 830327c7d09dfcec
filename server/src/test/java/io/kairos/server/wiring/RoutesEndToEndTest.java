package io.kairos.server.wiring;

import static io.kairos.server.wiring.Application.header;
import static io.kairos.server.wiring.Application.keyed;
import static io.kairos.server.wiring.Application.message;
import static io.kairos.server.wiring.Application.value;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.kairos.client.KairosClient;
import io.kairos.client.TaskRequest;
import io.kairos.client.audit.AuditQuery;
import io.kairos.client.error.KairosException;
import io.kairos.client.route.DeadLetterQuery;
import io.kairos.client.route.DeadLetterView;
import io.kairos.client.route.Republication;
import io.kairos.client.route.RouteStatus;
import io.kairos.client.task.TaskId;
import io.kairos.embedded.EmbeddedKafka;
import io.kairos.embedded.EmbeddedPostgres;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** The delay queue as operators see it, on real Postgres and Kafka, also from a second node. */
class RoutesEndToEndTest {
  private static final String RUN = UUID.randomUUID().toString().substring(0, 8);
  private static final String IN = RUN + ".in";
  private static final String OUT = RUN + ".out";
  private static final String database = EmbeddedPostgres.shared().newDatabase();

  @AutoClose
  private static final RunningNode node =
      Configured.startedOn(database, Configured.route(RUN, "relay-id=true"));

  /** Without a broker. */
  @AutoClose
  private static final RunningNode other =
      Configured.ready(RunningNode.start(Configured.withoutBroker(database)));

  @AutoClose
  private static final Application application =
      new Application(EmbeddedKafka.shared().bootstrapServers());

  @AutoClose
  private static final KairosClient client = KairosClient.connect(Configured.address(node));

  @AutoClose
  private static final KairosClient elsewhere = KairosClient.connect(Configured.address(other));

  @AutoClose private static final HttpClient http = HttpClient.newHttpClient();

  private static HttpResponse<String> get(RunningNode at, String path) throws Exception {
    return http.send(
        HttpRequest.newBuilder(URI.create("http://" + Configured.address(at) + path)).build(),
        BodyHandlers.ofString());
  }

  private static DeadLetterView parked(String key, int valueBytes) {
    Replicas.await(key + " is parked", () -> letters(key, valueBytes).size() == 1);
    return letters(key, valueBytes).getFirst();
  }

  private static List<DeadLetterView> letters(String key, int valueBytes) {
    return client.deadLetters(DeadLetterQuery.of("only").valueBytes(valueBytes)).stream()
        .filter(letter -> new String(requireNonNull(letter.key()), UTF_8).equals(key))
        .toList();
  }

  @Test
  void a_dead_letter_is_seen_corrected_published_once_and_delivered() {
    application.send(message(IN, "bad", "the value", "kairos-delay", "PT0.1S", "own", "1"));

    DeadLetterView letter = parked("bad", 3);
    assertThat(letter.reason()).isEqualTo("missing-id");
    assertThat(letter.source()).startsWith(IN + ", partition ");
    assertThat(letter.valueBytes()).isEqualTo(9);
    assertThat(new String(requireNonNull(letter.value()), UTF_8)).isEqualTo("the");
    Republication asIs = Republication.of("only", letter.partition(), letter.offset());
    assertThat(catchThrowableOfType(KairosException.class, () -> client.republish(asIs)))
        .hasMessageContaining("would become a dead letter again (missing-id)");

    Republication corrected = asIs.header("kairos-id", "7".getBytes(UTF_8));
    client.republish(corrected);

    ConsumerRecord<byte[], byte[]> delivered = application.receive(OUT, 1, keyed("bad")).getFirst();
    assertThat(value(delivered)).isEqualTo("the value");
    assertThat(header(delivered, "kairos-id")).isEqualTo("7");
    assertThat(header(delivered, "own")).isEqualTo("1");
    assertThat(delivered.headers().lastHeader("kairos-reason")).isNull();
    assertThat(catchThrowableOfType(KairosException.class, () -> client.republish(corrected)))
        .hasMessageContaining("published again before");
    assertThat(client.audit(AuditQuery.all().action("RepublishDeadLetter")))
        .anySatisfy(entry -> {
          assertThat(entry.object()).isEqualTo("only");
          assertThat(entry.outcome()).isEqualTo("OK");
          assertThat(entry.detail())
              .isEqualTo("partition=%d, offset=%d".formatted(letter.partition(), letter.offset()));
        });
  }

  @Test
  void a_message_is_followed_until_it_is_gone() throws Exception {
    TaskId id =
        client.schedule(TaskRequest.toTopic(OUT).payload("x").delay(Duration.ofHours(1)).build());
    String path = "/v1/messages/" + id;

    assertThat(get(node, path).body())
        .contains("\"state\":\"WAITING\"", "\"route\":\"only\"", "\"topic\":\"" + OUT + "\"");
    client.reschedule(id, Duration.ZERO);
    Replicas.await("it is gone", () -> body(path).contains("\"state\":\"GONE\""));

    HttpResponse<String> withoutBroker = get(other, path);
    assertThat(withoutBroker.statusCode()).isEqualTo(501);
    assertThat(withoutBroker.body()).contains("no broker");
  }

  private static String body(String path) {
    try {
      return get(node, path).body();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void either_node_tells_the_routes_that_one_serves() {
    application.send(message(IN, "waits", "x", "kairos-id", RUN, "kairos-delay", "PT1H"));

    for (KairosClient asked : List.of(client, elsewhere)) {
      Replicas.await(
          "it is told",
          () ->
              asked.routes().stream()
                  .anyMatch(route ->
                      route.waiting() > 0
                          && !route.inputs().isEmpty()
                          && route.inputs().stream()
                              .allMatch(input -> Long.valueOf(0).equals(input.lag()))));
      RouteStatus route = asked.routes().getFirst();
      assertThat(route.name()).isEqualTo("only");
      assertThat(route.input()).isEqualTo(IN);
      assertThat(route.output()).isEqualTo(OUT);
      assertThat(route.deadLetters()).isEqualTo(RUN + ".dead");
      assertThat(route.isServed()).isTrue();
      assertThat(route.isEstimated()).isFalse();
      assertThat(route.lanes()).isEmpty();
    }
  }
}
