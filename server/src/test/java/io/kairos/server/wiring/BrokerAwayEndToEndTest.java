package io.kairos.server.wiring;

import static io.kairos.server.wiring.Application.keyed;
import static io.kairos.server.wiring.Application.message;
import static io.kairos.server.wiring.Application.value;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.client.KairosClient;
import io.kairos.client.ScheduleSpec;
import io.kairos.client.TaskRequest;
import io.kairos.client.task.PayloadCodec;
import io.kairos.client.worker.Worker;
import io.kairos.embedded.EmbeddedKafka;
import io.kairos.embedded.EmbeddedPostgres;
import io.kairos.embedded.KafkaOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A broker that is away, at the start or later, closes the door of the delay queue alone. */
@Timeout(300)
class BrokerAwayEndToEndTest {
  @TempDir private static Path directory;

  private static EmbeddedKafka kafka;
  private static HttpClient http;

  private final String run = UUID.randomUUID().toString().substring(0, 8);
  private final BlockingQueue<String> performed = new LinkedBlockingQueue<>();

  @BeforeAll
  static void start() {
    kafka = EmbeddedKafka.start(KafkaOptions.forTests(directory));
    http = HttpClient.newHttpClient();
  }

  @BeforeEach
  void have_a_broker() {
    if (!kafka.isRunning()) {
      kafka.restart();
    }
  }

  @AfterAll
  static void stop() {
    http.close();
    kafka.close();
  }

  private RunningNode startNode(String... more) {
    return RunningNode.start(
        Configured.withBrokers(
            kafka.bootstrapServers(),
            EmbeddedPostgres.shared().newDatabase(),
            Stream.concat(
                    Stream.of(more),
                    Stream.of(Configured.route(run, "allowed-outputs=" + run + ".other")))
                .toArray(String[]::new)));
  }

  private static HttpResponse<String> get(RunningNode node, String path) {
    try {
      return http.send(
          HttpRequest.newBuilder(URI.create("http://" + Configured.address(node) + path)).build(),
          BodyHandlers.ofString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static boolean isOpen(RunningNode node) {
    return get(node, "/readyz?door=delay").statusCode() == 200;
  }

  /** Ready but for the delay queue, at work, and taking messages in. */
  private void worksWithoutBroker(RunningNode node, KairosClient client) throws Exception {
    Replicas.await("the door is closed", () -> !isOpen(node));
    Replicas.await(
        "the node is ready but for the delay queue",
        () -> {
          HttpResponse<String> answer = get(node, "/readyz");
          return answer.statusCode() == 200
              && answer.body().contains("\"tasks\":{\"ready\":true")
              && answer
                  .body()
                  .contains(
                      "\"delay\":{\"ready\":false,\"reasons\":[\"the Kafka broker does not answer\"]}");
        });
    assertThat(get(node, "/readyz?door=delay").statusCode()).isEqualTo(503);
    try (Worker _ =
        Configured.worker(
            Configured.address(node), "h", PayloadCodec.utf8(), (text, _) -> performed.add(text))) {
      client.schedule(TaskRequest.to("h").payload("task").build());
      assertThat(performed.poll(60, TimeUnit.SECONDS)).isEqualTo("task");
      client
          .schedules()
          .create(
              ScheduleSpec.named("s")
                  .every(Duration.ofSeconds(1))
                  .handler("h")
                  .payload("run")
                  .build());
      assertThat(performed.poll(60, TimeUnit.SECONDS)).isEqualTo("run");
    }
    client.schedule(
        TaskRequest.toTopic(run + ".other")
            .payload("x")
            .messageKey("away".getBytes(UTF_8))
            .build());
  }

  @Test // CH-48
  void a_node_starts_before_its_broker_and_the_delay_queue_begins_when_that_comes()
      throws Exception {
    kafka.kill();
    try (RunningNode node = startNode("kafka.topics.timeout=2s");
        KairosClient client = KairosClient.connect(Configured.address(node))) {
      worksWithoutBroker(node, client);

      kafka.restart();

      Replicas.await("the door is open", () -> isOpen(node));
      try (Application application = new Application(kafka.bootstrapServers())) {
        application.send(message(run + ".in", "k", "v", "kairos-id", "i", "kairos-delay", "100"));
        assertThat(value(application.receive(run + ".out", 1, keyed("k")).getFirst()))
            .isEqualTo("v");
        assertThat(application.receive(run + ".other", 1, keyed("away"))).hasSize(1);
      }
    }
  }

  @Test // CH-48
  void when_the_broker_dies_tasks_and_schedules_go_on_and_the_delay_queue_catches_up()
      throws Exception {
    try (RunningNode node = Configured.ready(startNode());
        KairosClient client = KairosClient.connect(Configured.address(node))) {
      try (Application application = new Application(kafka.bootstrapServers())) {
        application.send(message(run + ".in", "k", "v", "kairos-id", "i", "kairos-delay", "6000"));
        Replicas.await("it is stored", () -> node.metrics().contains(accepted(1)));
      }

      kafka.kill();
      worksWithoutBroker(node, client);
      kafka.restart();

      Replicas.await("the door is open", () -> isOpen(node));
      try (Application application = new Application(kafka.bootstrapServers())) {
        assertThat(application.receive(run + ".out", 1, keyed("k"))).hasSize(1);
        assertThat(application.receive(run + ".other", 1, keyed("away"))).hasSize(1);
      }
    }
  }

  private static String accepted(int messages) {
    return "kairos_delay_accepted_total{route=\"only\"} " + messages + ".0";
  }
}
