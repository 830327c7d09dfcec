package io.kairos.examples;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.kairos.embedded.EmbeddedPostgres;
import io.kairos.server.wiring.RunningNode;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The examples, run against a node as a user would run them. */
class ExamplesTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  @TempDir static Path data;

  private static RunningNode node;
  private static String broker;
  private static KafkaConsumer<String, String> output;

  @BeforeAll
  static void start_a_node() {
    node =
        ExampleNode.start(
            Map.of(
                "node.data-dir",
                data.toString(),
                "kafka.port",
                "0",
                "delay.routes.default.relay-id",
                "true",
                "delay.routes.default.results-topic",
                "kairos.results"));
    broker = node.places().bootstrapServers();
    output =
        new KafkaConsumer<>(
            Map.of(
                "bootstrap.servers", broker, "group.id", "test", "auto.offset.reset", "earliest"),
            new StringDeserializer(),
            new StringDeserializer());
    output.subscribe(List.of("kairos.out"));
  }

  @AfterAll
  static void stop_it() {
    output.close();
    node.close();
  }

  @Test
  void ch04_ch52_a_published_message_comes_out_after_its_delay_and_its_effect_happens_once()
      throws Exception {
    PublishDelayed.publish(broker, "order-1", Duration.ofSeconds(1), "remind");

    ConsumerRecord<String, String> message = await("order-1");

    assertThat(message.value()).isEqualTo("remind");
    List<String> effects = new ArrayList<>();
    EmbeddedPostgres postgres = EmbeddedPostgres.shared();
    try (Connection database =
            DriverManager.getConnection(
                postgres.newDatabase(), postgres.user(), postgres.password());
        var create = database.createStatement()) {
      create.execute("create table handled (id text primary key)");
      assertThat(IdempotentConsumer.handle(database, message, (d, m) -> effects.add(m.value())))
          .isTrue();
      assertThat(IdempotentConsumer.handle(database, message, (d, m) -> effects.add(m.value())))
          .isFalse();
    }
    assertThat(effects).containsExactly("remind");
  }

  @Test
  void ch52_an_effect_that_throws_happens_when_the_message_comes_again() throws Exception {
    var message = new ConsumerRecord<>("kairos.out", 0, 0, "key", "remind");
    message.headers().add("kairos-id", "order-2".getBytes(UTF_8));
    List<String> effects = new ArrayList<>();
    EmbeddedPostgres postgres = EmbeddedPostgres.shared();
    try (Connection database =
            DriverManager.getConnection(
                postgres.newDatabase(), postgres.user(), postgres.password());
        var create = database.createStatement()) {
      create.execute("create table handled (id text primary key)");

      assertThatIllegalStateException()
          .isThrownBy(() ->
              IdempotentConsumer.handle(
                  database,
                  message,
                  (_, _) -> {
                    throw new IllegalStateException("not today");
                  }));

      assertThat(IdempotentConsumer.handle(database, message, (_, m) -> effects.add(m.value())))
          .isTrue();
    }
    assertThat(effects).containsExactly("remind");
  }

  @Test
  void amendments_are_applied_and_their_results_told() throws Exception {
    BlockingQueue<String> told = new LinkedBlockingQueue<>();
    Thread reader = Thread.ofVirtual().start(() -> readUntilInterrupted(told));
    PublishDelayed.publish(broker, "cancelled", Duration.ofHours(1), "never");
    AmendMessage.cancel(broker, "cancelled");
    assertThat(told.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isEqualTo("cancelled applied");

    PublishDelayed.publish(broker, "moved", Duration.ofHours(1), "sooner");
    AmendMessage.reschedule(broker, "moved", Instant.now().plusSeconds(1));
    assertThat(told.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isEqualTo("moved applied");
    assertThat(await("moved").value()).isEqualTo("sooner");

    AmendMessage.cancel(broker, "never-sent");
    assertThat(told.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS))
        .isEqualTo("never-sent unknown-id");
    reader.interrupt();
    reader.join();
  }

  @Test
  void a_dead_letter_is_mended_and_sent_in_again() throws Exception {
    try (var producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", broker, "acks", "all"),
            new StringSerializer(),
            new StringSerializer())) {
      var forgotten = new ProducerRecord<>("kairos.in", "key", "without an id");
      forgotten.headers().add("kairos-delay", "PT0S".getBytes(UTF_8));
      producer.send(forgotten).get();
    }

    RedriveDeadLetters.redrive(broker, "kairos.dead-letters", 1);

    assertThat(await("key").value()).isEqualTo("without an id");
  }

  private static void readUntilInterrupted(BlockingQueue<String> told) {
    try {
      ReadResults.read(broker, "kairos.results", (id, outcome) -> told.add(id + " " + outcome));
    } catch (InterruptException e) {
      // The test has seen enough.
    }
  }

  /** The message with this key. */
  private static ConsumerRecord<String, String> await(String key) {
    Instant until = Instant.now().plus(PATIENCE);
    while (Instant.now().isBefore(until)) {
      for (ConsumerRecord<String, String> message : output.poll(Duration.ofMillis(200))) {
        if (key.equals(message.key())) {
          return message;
        }
      }
    }
    throw new AssertionError("no message with key " + key + " came out");
  }
}
