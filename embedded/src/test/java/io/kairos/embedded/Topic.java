package io.kairos.embedded;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** A topic as a test's client sees it; every call has clients of its own. */
record Topic(String servers, String name) {
  private static final int PATIENCE_MILLIS = 30_000;
  private static final int IMPATIENCE_MILLIS = 1000;

  void create(Map<Integer, List<Integer>> nodesByPartition) throws Exception {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", servers))) {
      admin.createTopics(List.of(new NewTopic(name, nodesByPartition))).all().get();
    }
  }

  void send(int partition, String value) throws ExecutionException, InterruptedException {
    send(partition, value, PATIENCE_MILLIS);
  }

  /** For a send that must fail: sees so in a second. */
  void sendImpatiently(int partition, String value)
      throws ExecutionException, InterruptedException {
    send(partition, value, IMPATIENCE_MILLIS);
  }

  private void send(int partition, String value, int timeoutMillis)
      throws ExecutionException, InterruptedException {
    Map<String, Object> config =
        Map.of(
            "bootstrap.servers",
            servers,
            "max.block.ms",
            timeoutMillis,
            "delivery.timeout.ms",
            timeoutMillis,
            "request.timeout.ms",
            timeoutMillis,
            "linger.ms",
            0);
    try (KafkaProducer<String, String> producer =
        new KafkaProducer<>(config, new StringSerializer(), new StringSerializer())) {
      producer.send(new ProducerRecord<>(name, partition, null, value)).get();
    }
  }

  List<String> values(int partition) {
    try (KafkaConsumer<String, String> consumer =
        new KafkaConsumer<>(
            Map.of("bootstrap.servers", servers),
            new StringDeserializer(),
            new StringDeserializer())) {
      TopicPartition source = new TopicPartition(name, partition);
      consumer.assign(List.of(source));
      consumer.seekToBeginning(List.of(source));
      long end = consumer.endOffsets(List.of(source)).getOrDefault(source, 0L);
      List<String> values = new ArrayList<>();
      while (consumer.position(source) < end) {
        consumer.poll(Duration.ofSeconds(1)).forEach(record -> values.add(record.value()));
      }
      return values;
    }
  }

  Set<Integer> nodesOf(String topic) throws Exception {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", servers))) {
      return admin.describeTopics(List.of(topic)).allTopicNames().get().values().stream()
          .flatMap(description -> description.partitions().stream())
          .flatMap(partition -> partition.replicas().stream())
          .map(node -> node.id())
          .collect(Collectors.toSet());
    }
  }
}
