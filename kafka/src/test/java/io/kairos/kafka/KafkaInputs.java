package io.kairos.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.kairos.domain.delay.InputRecord;
import io.kairos.embedded.EmbeddedKafka;
import io.kairos.engine.time.MonotonicClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.apache.kafka.common.TopicPartition;

/** The inputs that a test opens on the shared broker, polled as a node does until all has come. */
final class KafkaInputs implements AutoCloseable {
  static final Duration WAIT = Duration.ofMillis(100);
  static final Duration SOON = Duration.ofSeconds(30);

  private final List<KafkaInput> opened = new ArrayList<>();

  KafkaInput open(String topic) {
    return open(topic, KafkaConfig.Input.DEFAULT, System::nanoTime);
  }

  KafkaInput open(String topic, KafkaConfig.Input bounds, MonotonicClock clock) {
    KafkaConfig config =
        KafkaConfig.at(EmbeddedKafka.shared().bootstrapServers(), "test").withInput(bounds);
    KafkaInput source = new KafkaInput(config, topic, topic, clock, Publishers.THREAD_DIED);
    opened.add(source);
    return source;
  }

  /** Positions all partitions, once there is one. */
  static void position(KafkaInput source, OptionalLong from) {
    Eventually.within(
        SOON,
        "a partition to position",
        () -> {
          var waiting = source.poll(WAIT).unpositioned();
          waiting.forEach(partition -> source.position(partition, from));
          return !waiting.isEmpty();
        });
  }

  /** At least so many records of what is positioned. */
  static List<InputRecord> poll(KafkaInput source, int count) {
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

  static List<InputRecord> read(KafkaInput source, OptionalLong from, int count) {
    position(source, from);
    return poll(source, count);
  }

  static List<String> texts(List<InputRecord> records) {
    return records.stream()
        .map(one -> one.value() == null ? "null" : new String(one.value(), UTF_8))
        .toList();
  }

  /** What lag tools see of partition 0; 0 before any. */
  static long committed(String topic) {
    var committed =
        KafkaFixture.shared().committed("kairos-" + topic).get(new TopicPartition(topic, 0));
    return committed == null ? 0 : committed.offset();
  }

  static void awaitCommitted(KafkaInput source, String topic, long offset) {
    Eventually.within(
        SOON,
        offset + " is committed",
        () -> {
          source.poll(WAIT);
          return committed(topic) == offset;
        });
  }

  @Override
  public void close() {
    opened.forEach(KafkaInput::close);
  }
}
