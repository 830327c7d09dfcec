package io.kairos.examples;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.serialization.StringDeserializer;

/**
 * Reads how cancels and reschedules ended: {@code applied}, {@code too-late} or {@code unknown-id}.
 */
public final class ReadResults {
  private ReadResults() {}

  public static void main(String[] args) {
    read(
        "127.0.0.1:9092",
        "kairos.results",
        (id, outcome) -> System.out.println(id + " " + outcome));
  }

  static void read(String broker, String topic, BiConsumer<String, String> told) {
    try (var results =
        new KafkaConsumer<>(
            Map.of(
                "bootstrap.servers",
                broker,
                "group.id",
                "results",
                "auto.offset.reset",
                "earliest"),
            new StringDeserializer(),
            new StringDeserializer())) {
      results.subscribe(List.of(topic));
      while (!Thread.currentThread().isInterrupted()) {
        for (var result : results.poll(Duration.ofMillis(200))) {
          var headers = result.headers();
          told.accept(
              new String(headers.lastHeader("kairos-id").value(), UTF_8),
              new String(headers.lastHeader("kairos-outcome").value(), UTF_8));
        }
      }
    }
  }
}
