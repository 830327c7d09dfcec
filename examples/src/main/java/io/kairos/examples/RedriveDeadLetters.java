package io.kairos.examples;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Mends dead letters that were rejected for a missing id and sends them in again. What Kairos added
 * to them is ignored on input, so that only what was wrong has to be mended.
 */
public final class RedriveDeadLetters {
  private RedriveDeadLetters() {}

  public static void main(String[] args) throws Exception {
    redrive("127.0.0.1:9092", "kairos.dead-letters", 1);
  }

  static void redrive(String broker, String deadLetters, int count) throws Exception {
    try (var letters =
            new KafkaConsumer<>(
                Map.of(
                    "bootstrap.servers",
                    broker,
                    "group.id",
                    "redrive",
                    "auto.offset.reset",
                    "earliest"),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
        var producer =
            new KafkaProducer<>(
                Map.of("bootstrap.servers", broker, "acks", "all"),
                new ByteArraySerializer(),
                new ByteArraySerializer())) {
      letters.subscribe(List.of(deadLetters));
      for (int mended = 0; mended < count; ) {
        for (var letter : letters.poll(Duration.ofMillis(200))) {
          var reason = new String(letter.headers().lastHeader("kairos-reason").value(), UTF_8);
          if (reason.equals("missing-id")) {
            var again =
                new ProducerRecord<>(
                    "kairos.in", null, letter.key(), letter.value(), letter.headers());
            var id = "mended-" + letter.partition() + "-" + letter.offset();
            again.headers().add("kairos-id", id.getBytes(UTF_8));
            producer.send(again).get();
            mended++;
          }
        }
        letters.commitSync();
      }
    }
  }
}
