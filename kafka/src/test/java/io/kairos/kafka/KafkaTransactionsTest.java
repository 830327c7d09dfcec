package io.kairos.kafka;

import static io.kairos.kafka.KafkaInputs.SOON;
import static io.kairos.kafka.KafkaInputs.WAIT;
import static io.kairos.kafka.KafkaInputs.awaitCommitted;
import static io.kairos.kafka.KafkaInputs.poll;
import static io.kairos.kafka.KafkaInputs.texts;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import io.kairos.domain.delay.InputRecord;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Input topics that transactional producers write to, on a real broker. */
class KafkaTransactionsTest {
  private final KafkaFixture broker = KafkaFixture.shared();
  private final KafkaInputs inputs = new KafkaInputs();

  @AfterEach
  void close_what_was_opened() {
    inputs.close();
  }

  @Test
  void only_committed_records_are_delivered_and_no_lag_is_left() {
    String topic = broker.newTopic(1);
    broker.produceAborted(topic, 0, "aborted".getBytes(UTF_8));
    try (KafkaProducer<byte[], byte[]> producer = broker.transactional()) {
      producer.beginTransaction();
      send(producer, topic, 0, "committed");
      producer.commitTransaction();
    }
    broker.produceAborted(topic, 0, "aborted too".getBytes(UTF_8));
    KafkaInput source = open(topic, 1, OptionalLong.empty());

    List<InputRecord> records = poll(source, 1);

    assertThat(texts(records)).containsExactly("committed");
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

      assertThat(texts(poll(source, 1))).containsExactly("beside");
      source.stored(Map.of(1, 1L));
      for (int i = 0; i < 5; i++) {
        assertThat(source.poll(WAIT).records()).isEmpty();
      }
      produce(topic, 1, "later");
      assertThat(texts(poll(source, 1))).containsExactly("later");

      producer.abortTransaction();
    }
    assertThat(texts(poll(source, 1))).containsExactly("behind");
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
      assertThat(texts(poll(open(topic, 1, OptionalLong.of(1)), 1))).containsExactly("b");
      assertThat(log.at(Level.ERROR)).isEmpty();
    }
  }

  private KafkaInput open(String topic, int partitions, OptionalLong from) {
    KafkaInput source = inputs.open(topic);
    Set<Integer> positioned = new HashSet<>();
    Eventually.within(
        SOON,
        partitions + " partitions to position",
        () -> {
          for (int partition : source.poll(WAIT).unpositioned()) {
            source.position(partition, from);
            positioned.add(partition);
          }
          return positioned.size() == partitions;
        });
    return source;
  }

  private void produce(String topic, int partition, String value) {
    broker.produce(topic, partition, 1L, null, value.getBytes(UTF_8), List.of());
  }

  private static void send(
      KafkaProducer<byte[], byte[]> producer, String topic, int partition, String value) {
    KafkaFixture.done(
        producer.send(new ProducerRecord<>(topic, partition, null, value.getBytes(UTF_8))));
  }
}
