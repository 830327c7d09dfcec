package io.kairos.kafka;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The broker's description of a topic.
 *
 * @param replication number of replicas of the partition with the fewest
 * @param settings settings by Kafka's names; empty when Kairos has no right to read them
 */
record TopicFacts(String name, int partitions, int replication, Map<String, String> settings) {
  static final String MAX_MESSAGE_BYTES = "max.message.bytes";

  /** Known to brokers since Kafka 4.4. */
  static final String MAX_DECOMPRESSED_BYTES = "max.decompressed.message.bytes";

  /** Returns the largest message in bytes; 0 when unknown. */
  int maxMessageBytes() {
    return number(MAX_MESSAGE_BYTES);
  }

  /** Returns the largest record after decompression in bytes; 0 when unknown. */
  int maxDecompressedBytes() {
    return number(MAX_DECOMPRESSED_BYTES);
  }

  int minInSyncReplicas() {
    return number("min.insync.replicas");
  }

  boolean isCompacted() {
    return settings.getOrDefault("cleanup.policy", "").contains("compact");
  }

  /** Returns the largest message of all input topics in bytes; 0 when unknown. */
  static int largestInput(Map<String, TopicFacts> facts, Map<String, TopicRole> roles) {
    return facts.values().stream()
        .filter(topic -> roles.get(topic.name()) == TopicRole.INPUT)
        .mapToInt(TopicFacts::maxMessageBytes)
        .max()
        .orElse(0);
  }

  private int number(String setting) {
    @Nullable String value = settings.get(setting);
    return value == null ? 0 : Integer.parseInt(value);
  }
}
