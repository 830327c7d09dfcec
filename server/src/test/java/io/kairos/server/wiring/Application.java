package io.kairos.server.wiring;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/** An application that knows Kafka and nothing of Kairos but its headers. */
public final class Application implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(90);

  /** How long to look for what must not come. */
  private static final Duration SUSPICION = Duration.ofMillis(400);

  private final String bootstrapServers;
  private final KafkaProducer<byte[], byte[]> producer;

  public Application(String bootstrapServers) {
    this.bootstrapServers = bootstrapServers;
    this.producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", bootstrapServers, "acks", "all"),
            new ByteArraySerializer(),
            new ByteArraySerializer());
  }

  /** A message under construction. */
  public static ProducerRecord<byte[], byte[]> message(
      String topic, @Nullable String key, @Nullable String value, String... headers) {
    ProducerRecord<byte[], byte[]> message =
        new ProducerRecord<>(
            topic,
            key == null ? null : key.getBytes(UTF_8),
            value == null ? null : value.getBytes(UTF_8));
    for (int i = 0; i < headers.length; i += 2) {
      message.headers().add(headers[i], headers[i + 1].getBytes(UTF_8));
    }
    return message;
  }

  public void send(ProducerRecord<byte[], byte[]> message) {
    var _ = producer.send(message);
    producer.flush();
  }

  /** Without waiting for the broker. */
  public void sendSoon(ProducerRecord<byte[], byte[]> message) {
    var _ = producer.send(message);
  }

  /** Returns when the broker has all. */
  public void flush() {
    producer.flush();
  }

  /** Waits for so many matching records, then a little more for those that must not come. */
  public List<ConsumerRecord<byte[], byte[]>> receive(
      String topic, int count, Predicate<ConsumerRecord<byte[], byte[]>> matching) {
    producer.flush();
    List<ConsumerRecord<byte[], byte[]>> received = new ArrayList<>();
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(
            Map.of("bootstrap.servers", bootstrapServers),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer())) {
      List<TopicPartition> partitions =
          consumer.partitionsFor(topic).stream()
              .map(partition -> new TopicPartition(topic, partition.partition()))
              .toList();
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      long untilNanos = System.nanoTime() + (count == 0 ? SUSPICION : PATIENCE).toNanos();
      boolean suspicious = count == 0;
      while (System.nanoTime() - untilNanos < 0) {
        consumer
            .poll(Duration.ofMillis(50))
            .forEach(message -> {
              if (matching.test(message)) {
                received.add(message);
              }
            });
        if (received.size() >= count && !suspicious) {
          suspicious = true;
          untilNanos = System.nanoTime() + SUSPICION.toNanos();
        }
      }
    }
    return received;
  }

  public static Predicate<ConsumerRecord<byte[], byte[]>> keyed(String key) {
    return message -> message.key() != null && new String(message.key(), UTF_8).equals(key);
  }

  public static @Nullable String header(ConsumerRecord<byte[], byte[]> message, String name) {
    Header header = message.headers().lastHeader(name);
    return header == null ? null : new String(header.value(), UTF_8);
  }

  public static String value(ConsumerRecord<byte[], byte[]> message) {
    return new String(message.value(), UTF_8);
  }

  @Override
  public void close() {
    producer.close(Duration.ofSeconds(2));
  }
}
