package io.kairos.kafka;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the broker says of one topic.
 *
 * @param replication of the partition with the fewest replicas
 * @param settings by Kafka's names; empty where Kairos has no right to read them
 */
record TopicFacts(String name, int partitions, int replication, Map<String, String> settings) {
  static final String MAX_MESSAGE_BYTES = "max.message.bytes";

  /** Unknown is 0. */
  int maxMessageBytes() {
    return number(MAX_MESSAGE_BYTES);
  }

  int minInSyncReplicas() {
    return number("min.insync.replicas");
  }

  boolean isCompacted() {
    return settings.getOrDefault("cleanup.policy", "").contains("compact");
  }

  private int number(String setting) {
    @Nullable String value = settings.get(setting);
    return value == null ? 0 : Integer.parseInt(value);
  }
}
