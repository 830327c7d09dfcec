package io.kairos.server.demo;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.kairos.domain.delay.ControlHeaders;
import io.kairos.domain.time.EpochMicros;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/**
 * An application that sends delayed messages to the input topic and reads the output topic, with
 * the plain Kafka client. Used by one thread.
 */
public final class DemoTraffic implements AutoCloseable {
  private static final int VALUE_BYTES = 256;
  private static final Duration CLOSE_WITHIN = Duration.ofSeconds(1);
  private static final long MICROS_PER_MILLI = 1_000;

  private final String input;
  private final InstantSource clock;
  private final KafkaProducer<String, byte[]> producer;
  private final KafkaConsumer<String, byte[]> consumer;

  public DemoTraffic(String bootstrapServers, String input, String output, InstantSource clock) {
    this.input = input;
    this.clock = clock;
    this.producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", bootstrapServers, "acks", "all"),
            new StringSerializer(),
            new ByteArraySerializer());
    this.consumer =
        new KafkaConsumer<>(
            Map.of("bootstrap.servers", bootstrapServers),
            new StringDeserializer(),
            new ByteArrayDeserializer());
    List<TopicPartition> partitions =
        consumer.partitionsFor(output).stream()
            .map(partition -> new TopicPartition(output, partition.partition()))
            .toList();
    consumer.assign(partitions);
    consumer.seekToBeginning(partitions);
  }

  /**
   * Sends one message per delay, all at once, and waits until the broker has them. Delays count
   * from the moment of sending.
   *
   * @param name prefix of every id, which keeps rounds apart
   */
  public DemoArrivals send(String name, long[] delayMillis) {
    long[] dueMicros = new long[delayMillis.length];
    for (int i = 0; i < delayMillis.length; i++) {
      long dueMillis = clock.instant().toEpochMilli() + delayMillis[i];
      dueMicros[i] = dueMillis * MICROS_PER_MILLI;
      ProducerRecord<String, byte[]> message =
          new ProducerRecord<>(input, name + "-" + i, new byte[VALUE_BYTES]);
      message.headers().add(ControlHeaders.ID, message.key().getBytes(UTF_8));
      message.headers().add(ControlHeaders.DUE_AT, Long.toString(dueMillis).getBytes(UTF_8));
      var _ = producer.send(message);
    }
    producer.flush();
    return new DemoArrivals(dueMicros);
  }

  /** Records arrivals of the round; waits at most this long for messages. */
  public void receive(String name, DemoArrivals arrivals, Duration atMost) {
    for (ConsumerRecord<String, byte[]> message : consumer.poll(atMost)) {
      long atMicros = EpochMicros.of(clock.instant());
      String key = message.key();
      if (key.startsWith(name + "-")) {
        arrivals.note(Integer.parseInt(key.substring(name.length() + 1)), atMicros);
      }
    }
  }

  @Override
  public void close() {
    producer.close(CLOSE_WITHIN);
    consumer.close(CloseOptions.timeout(CLOSE_WITHIN));
  }
}
