package io.kairos.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import io.kairos.domain.delay.InputRecord;
import io.kairos.embedded.EmbeddedKafka;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Input topics that transactional producers write to, on a real broker. */
class KafkaTransactionsTest {
  private static final Duration WAIT = Duration.ofMillis(100);
  private static final Duration SOON = Duration.ofSeconds(30);

  private final KafkaFixture broker = KafkaFixture.shared();
  private final List<KafkaInput> opened = new ArrayList<>();

  @AfterEach
  void close_what_was_opened() {
    opened.forEach(KafkaInput::close);
  }

  @Test
  void only_committed_records_are_delivered_and_no_lag_is_left() {
    String topic = broker.newTopic(1);
    try (KafkaProducer<byte[], byte[]> producer = broker.transactional()) {
      producer.beginTransaction();
      send(producer, topic, 0, "aborted");
      producer.abortTransaction();
      producer.beginTransaction();
      send(producer, topic, 0, "committed");
      producer.commitTransaction();
      producer.beginTransaction();
      send(producer, topic, 0, "aborted too");
      producer.abortTransaction();
    }
    KafkaInput source = open(topic, 1, OptionalLong.empty());

    List<InputRecord> records = poll(source, 1);

    assertThat(values(records)).containsExactly("committed");
    assertThat(records.getFirst().offset()).isEqualTo(2);
    source.stored(Map.of(0, 3L));
    awaitCommitted(source, topic, broker.end(topic, 0));
  }

  @Test
  void a_record_that_is_not_stored_yet_holds_the_committed_offset() {
    String topic = broker.newTopic(1);
    try (KafkaProducer<byte[], byte[]> producer = broker.transactional()) {
      producer.beginTransaction();
      send(producer, topic, 0, "one");
      send(producer, topic, 0, "two");
      producer.commitTransaction();
    }
    KafkaInput source = open(topic, 1, OptionalLong.empty());
    poll(source, 2);

    source.stored(Map.of(0, 1L));

    awaitCommitted(source, topic, 1);
    source.stored(Map.of(0, 2L));
    awaitCommitted(source, topic, 3);
  }

  @Test
  void an_open_transaction_holds_up_what_follows_it_on_its_partition_and_nothing_else() {
    String topic = broker.newTopic(2);
    KafkaInput source = open(topic, 2, OptionalLong.empty());
    try (KafkaProducer<byte[], byte[]> producer = broker.transactional()) {
      producer.beginTransaction();
      send(producer, topic, 0, "open");
      produce(topic, 0, "behind");
      produce(topic, 1, "beside");

      assertThat(values(poll(source, 1))).containsExactly("beside");
      source.stored(Map.of(1, 1L));
      for (int i = 0; i < 5; i++) {
        assertThat(source.poll(WAIT).records()).isEmpty();
      }
      produce(topic, 1, "later");
      assertThat(values(poll(source, 1))).containsExactly("later");

      producer.abortTransaction();
    }
    assertThat(values(poll(source, 1))).containsExactly("behind");
  }

  @Test
  void what_was_never_to_be_delivered_is_not_lost_when_retention_takes_it() {
    String topic = broker.newTopic(1);
    produce(topic, 0, "a");
    broker.produceAborted(topic, 0, "aborted".getBytes(UTF_8));
    KafkaInput source = open(topic, 1, OptionalLong.empty());
    poll(source, 1);
    source.stored(Map.of(0, 1L));
    awaitCommitted(source, topic, 3);
    source.close();
    broker.deleteBefore(topic, 0, 3);
    produce(topic, 0, "b");

    try (LogLines log = new LogLines(GroupMembership.class)) {
      assertThat(values(poll(open(topic, 1, OptionalLong.of(1)), 1))).containsExactly("b");
      assertThat(log.at(Level.ERROR)).isEmpty();
    }
  }

  private KafkaInput open(String topic, int partitions, OptionalLong from) {
    KafkaConfig config = KafkaConfig.at(EmbeddedKafka.shared().bootstrapServers(), "test");
    KafkaInput source =
        new KafkaInput(config, topic, topic, System::nanoTime, Publishers.THREAD_DIED);
    opened.add(source);
    Eventually.within(
        SOON,
        partitions + " partitions to position",
        () -> source.poll(WAIT).unpositioned().size() == partitions);
    for (int partition = 0; partition < partitions; partition++) {
      source.position(partition, from);
    }
    return source;
  }

  private static List<InputRecord> poll(KafkaInput source, int count) {
    List<InputRecord> records = new ArrayList<>();
    Eventually.within(
        SOON,
        count + " records",
        () -> {
          records.addAll(source.poll(WAIT).records());
          return records.size() >= count;
        });
    return records;
  }

  private void awaitCommitted(KafkaInput source, String topic, long offset) {
    Eventually.within(
        SOON,
        offset + " is committed",
        () -> {
          source.poll(WAIT);
          var committed = broker.committed("kairos-" + topic).get(new TopicPartition(topic, 0));
          return committed != null && committed.offset() == offset;
        });
  }

  private void produce(String topic, int partition, String value) {
    broker.produce(topic, partition, 1L, null, value.getBytes(UTF_8), List.of());
  }

  private static void send(
      KafkaProducer<byte[], byte[]> producer, String topic, int partition, String value) {
    KafkaFixture.done(
        producer.send(new ProducerRecord<>(topic, partition, null, value.getBytes(UTF_8))));
  }

  private static List<String> values(List<InputRecord> records) {
    return records.stream().map(one -> new String(requireNonNull(one.value()), UTF_8)).toList();
  }
}
