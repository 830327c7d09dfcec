package io.kairos.examples;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Instant;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;

/**
 * Takes a message back, or moves it, by a control record with the message's key on the input topic.
 */
public final class AmendMessage {
  private AmendMessage() {}

  public static void main(String[] args) throws Exception {
    cancel("127.0.0.1:9092", "order-4711");
  }

  static void cancel(String broker, String id) throws Exception {
    var control = new ProducerRecord<String, String>("kairos.in", id, null);
    control.headers().add("kairos-id", id.getBytes(UTF_8));
    control.headers().add("kairos-control", "cancel".getBytes(UTF_8));
    send(broker, control);
  }

  static void reschedule(String broker, String id, Instant dueAt) throws Exception {
    var control = new ProducerRecord<String, String>("kairos.in", id, null);
    control.headers().add("kairos-id", id.getBytes(UTF_8));
    control.headers().add("kairos-control", "reschedule".getBytes(UTF_8));
    control.headers().add("kairos-due-at", dueAt.toString().getBytes(UTF_8));
    send(broker, control);
  }

  private static void send(String broker, ProducerRecord<String, String> control) throws Exception {
    try (var producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", broker, "acks", "all"),
            new StringSerializer(),
            new StringSerializer())) {
      producer.send(control).get();
    }
  }
}
