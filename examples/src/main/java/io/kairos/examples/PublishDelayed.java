package io.kairos.examples;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Duration;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;

/** Sends a message to {@code kairos.in} that comes out of {@code kairos.out} after a delay. */
public final class PublishDelayed {
  private PublishDelayed() {}

  public static void main(String[] args) throws Exception {
    publish("127.0.0.1:9092", "order-4711", Duration.ofSeconds(5), "{\"remind\": true}");
  }

  static void publish(String broker, String id, Duration delay, String value) throws Exception {
    try (var producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", broker, "acks", "all"),
            new StringSerializer(),
            new StringSerializer())) {
      var message = new ProducerRecord<>("kairos.in", id, value);
      message.headers().add("kairos-id", id.getBytes(UTF_8));
      message.headers().add("kairos-delay", delay.toString().getBytes(UTF_8));
      producer.send(message).get();
    }
  }
}
