package io.kairos.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.kairos.domain.task.queue.TopicName;
import io.kairos.embedded.EmbeddedKafka;
import io.kairos.engine.delay.port.OutgoingRecord;
import io.kairos.engine.delay.port.SendResult;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.junit.jupiter.api.Test;

class KafkaPublisherLimitsTest {
  private static final byte[] NO_HEADERS = {};
  private static final KafkaConfig CONFIG =
      Publishers.patient(
          KafkaConfig.at(EmbeddedKafka.shared().bootstrapServers(), "limits"),
          Duration.ofSeconds(30));

  private final KafkaFixture broker = KafkaFixture.shared();

  @Test
  void d9_partition_for_agrees_with_the_partitioner_of_a_plain_producer() {
    String topic = broker.newTopic(7);
    RandomGenerator random = RandomGeneratorFactory.getDefault().create(11);
    try (KafkaPublisher publisher = Publishers.open(CONFIG)) {
      for (int i = 0; i < 100; i++) {
        byte[] key = new byte[random.nextInt(30)];
        random.nextBytes(key);

        int theirs =
            KafkaFixture.done(broker.producer.send(new ProducerRecord<>(topic, key, key)))
                .partition();

        assertThat(publisher.partitionFor(key, 7)).isEqualTo(theirs);
      }
    }
  }

  @Test
  void when_memory_is_used_up_a_send_fails_at_once_and_later_ones_succeed() {
    String topic = broker.newTopic(1);
    KafkaConfig small =
        CONFIG.withOutput(
            new KafkaConfig.OutputSettings(
                Duration.ofSeconds(30), Duration.ofSeconds(1), 64 << 10, 256 << 10, 64 << 10));
    try (KafkaPublisher publisher = Publishers.open(small)) {
      Publishers.awaitKnown(publisher, topic);
      CompletableFuture<SendResult> first = null;
      SendResult refusal = null;
      for (int i = 0; i < 10_000 && refusal == null; i++) {
        var send = Publishers.send(publisher, Publishers.outgoing(topic, 0, new byte[60_000]));
        first = first == null ? send : first;
        refusal =
            send.isDone() && send.resultNow() instanceof SendResult.NoRoom
                ? send.resultNow()
                : null;
      }

      assertThat(refusal)
          .isInstanceOfSatisfying(
              SendResult.NoRoom.class,
              noRoom -> assertThat(noRoom.why()).startsWith("BufferExhaustedException"));
      assertThat(first).succeedsWithin(Duration.ofSeconds(60));
      // Once memory is free again.
      Publishers.sendUntilAcknowledged(publisher, topic, new byte[10]);
    }
  }

  @Test
  void a_record_above_our_own_limit_is_refused_without_the_broker() {
    String topic = broker.newTopic(1, Map.of("max.message.bytes", "40000000"));
    try (KafkaPublisher publisher = Publishers.open(CONFIG)) {
      Publishers.awaitKnown(publisher, topic);

      assertThat(Publishers.sent(publisher, topic, new byte[17 << 20]))
          .isInstanceOf(SendResult.Refused.class);
      assertThat(Publishers.sent(publisher, topic, new byte[9 << 20]))
          .isInstanceOf(SendResult.Acknowledged.class);
    }
  }

  @Test
  void a_record_too_large_for_the_topic_does_not_take_its_batch_with_it() {
    String topic = broker.newTopic(1, Map.of("max.message.bytes", "5000"));
    try (KafkaPublisher publisher = Publishers.open(slow())) {
      Publishers.awaitKnown(publisher, topic);
      var before = Publishers.send(publisher, Publishers.outgoing(topic, 0, new byte[100]));
      var large = Publishers.send(publisher, Publishers.outgoing(topic, 0, new byte[6_000]));
      var after = Publishers.send(publisher, Publishers.outgoing(topic, 0, new byte[100]));

      assertThat(KafkaFixture.done(large)).isInstanceOf(SendResult.Refused.class);
      assertThat(KafkaFixture.done(before)).isInstanceOf(SendResult.Acknowledged.class);
      assertThat(KafkaFixture.done(after)).isInstanceOf(SendResult.Acknowledged.class);
    }
  }

  @Test
  void a_record_without_key_for_a_compacted_topic_is_refused_and_its_neighbours_are_not() {
    String topic = broker.newTopic(1, Map.of("cleanup.policy", "compact"));
    byte[] key = {1};
    try (KafkaPublisher publisher = Publishers.open(slow())) {
      Publishers.awaitKnown(publisher, topic);
      var keyed =
          Publishers.send(
              publisher, new OutgoingRecord(new TopicName(topic), 0, key, key, NO_HEADERS));
      var keyless = Publishers.send(publisher, Publishers.outgoing(topic, 0, key));

      assertThat(KafkaFixture.done(keyless)).isInstanceOf(SendResult.Refused.class);
      assertThat(KafkaFixture.done(keyed)).isNotInstanceOf(SendResult.Refused.class);
    }
  }

  @Test
  void headers_that_cannot_be_read_are_refused() {
    try (KafkaPublisher publisher = Publishers.open(CONFIG)) {
      byte[] cutOff = {0, 0, 0, 9, 'x'};

      assertThat(
              Publishers.sent(
                  publisher, new OutgoingRecord(new TopicName("any"), 0, null, null, cutOff)))
          .isInstanceOfSatisfying(
              SendResult.Refused.class,
              refused -> assertThat(refused.why()).contains("headers cannot be read"));
    }
  }

  @Test
  void a_closed_publisher_has_ended_what_was_under_way_and_fails_what_comes() {
    String topic = broker.newTopic(1);
    KafkaPublisher publisher = Publishers.open(slow());
    Publishers.awaitKnown(publisher, topic);
    var underWay = Publishers.send(publisher, Publishers.outgoing(topic, 0, new byte[10]));

    publisher.close();
    publisher.close();

    assertThat(underWay).isCompletedWithValue(SendResult.Acknowledged.INSTANCE);
    assertThat(Publishers.sent(publisher, topic, new byte[10]))
        .isInstanceOf(SendResult.Failed.class);
    assertThat(publisher.partitions(new TopicName(KafkaFixture.freshName()))).isZero();
  }

  @Test
  void an_error_that_ends_the_network_thread_is_told() {
    String topic = broker.newTopic(1);
    CompletableFuture<Throwable> death = new CompletableFuture<>();
    KafkaPublisher publisher =
        new KafkaPublisher(CONFIG, System::nanoTime, Thread::startVirtualThread, death::complete);
    Publishers.awaitKnown(publisher, topic);
    Error error = new StackOverflowError("as a test");

    publisher.send(
        Publishers.outgoing(topic, 0, "x".getBytes(StandardCharsets.UTF_8)),
        _ -> {
          throw error;
        });

    assertThat(death).succeedsWithin(Duration.ofSeconds(60));
    assertThat(death.resultNow()).isSameAs(error);
    publisher.close();
  }

  @Test
  void settings_that_do_not_go_together_stop_the_start() {
    KafkaConfig wrong =
        new KafkaConfig(
            CONFIG.bootstrapServers(),
            Map.of("security.protocol", "SASL_SSL"),
            "limits",
            CONFIG.input(),
            CONFIG.output(),
            CONFIG.topics());

    assertThatExceptionOfType(KafkaException.class).isThrownBy(() -> Publishers.open(wrong));
  }

  /** Lingers long enough to put what a test sends into one batch. */
  private static KafkaConfig slow() {
    return CONFIG.withOutput(
        new KafkaConfig.OutputSettings(
            Duration.ofSeconds(30), Duration.ofMillis(500), 64 << 10, 64L << 20, 16 << 20));
  }
}
