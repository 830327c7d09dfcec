package io.kairos.kafka;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Warnings for operators about existing topics; a pure function of the broker's answers. */
final class TopicRemarks {
  private TopicRemarks() {}

  static List<String> on(
      int brokers,
      Map<String, TopicRole> roles,
      Map<String, TopicFacts> facts,
      int deadLetterBytes,
      int mostDecompressed) {
    List<String> remarks = new ArrayList<>();
    if (brokers == 1) {
      remarks.add(
          "The Kafka cluster is a single broker: what it has acknowledged survives the kill of its"
              + " process, but not the loss of power or of its disk.");
    }
    int largestInput = TopicFacts.largestInput(facts, roles);
    for (TopicFacts topic : new TreeMap<>(facts).values()) {
      TopicRole role = roles.get(topic.name());
      if (role != null) {
        replication(topic, brokers, remarks);
        compaction(topic, role, remarks);
        size(topic, role, largestInput, deadLetterBytes, remarks);
        decompressed(topic, role, mostDecompressed, remarks);
      }
    }
    return remarks;
  }

  private static void replication(TopicFacts topic, int brokers, List<String> remarks) {
    int minInSync = topic.minInSyncReplicas();
    if (minInSync > topic.replication()) {
      remarks.add(
          "Topic %s can acknowledge nothing: min.insync.replicas is %d with %d replicas. Lower it or add replicas."
              .formatted(topic.name(), minInSync, topic.replication()));
    } else if (minInSync == 1 && topic.replication() > 1) {
      remarks.add(
          "Topic %s has %d replicas but min.insync.replicas is 1: a message that only the leader has counts as acknowledged and is lost with it. Set min.insync.replicas to 2."
              .formatted(topic.name(), topic.replication()));
    } else if (topic.replication() == 1 && brokers > 1) {
      remarks.add(
          "Topic %s has one replica in a cluster of %d brokers: it is away whenever that broker is. Add replicas."
              .formatted(topic.name(), brokers));
    }
  }

  private static void compaction(TopicFacts topic, TopicRole role, List<String> remarks) {
    if (!topic.isCompacted()) {
      return;
    }
    remarks.add(
        switch (role) {
          case INPUT ->
              "Input topic %s is compacted: of messages with the same key all but the last may be deleted before they are read. Set cleanup.policy to delete."
                  .formatted(topic.name());
          case OUTPUT, DEAD_LETTER, RESULTS ->
              "Topic %s is compacted: the broker refuses messages without a key, and of those with the same key all but the last may be deleted. Set cleanup.policy to delete."
                  .formatted(topic.name());
        });
  }

  private static void decompressed(
      TopicFacts topic, TopicRole role, int most, List<String> remarks) {
    if (role == TopicRole.INPUT && topic.maxDecompressedBytes() > most) {
      remarks.add(
          "Input topic %s takes compressed records of any size: one that becomes larger than the memory ends every node that reads it. Set max.decompressed.message.bytes of %s to %d."
              .formatted(topic.name(), topic.name(), most));
    }
  }

  private static void size(
      TopicFacts topic,
      TopicRole role,
      int largestInput,
      int deadLetterBytes,
      List<String> remarks) {
    int limit = topic.maxMessageBytes();
    if (limit == 0 || largestInput == 0) {
      return;
    }
    if (role == TopicRole.OUTPUT && limit < largestInput) {
      remarks.add(
          "Output topic %s takes messages up to %d bytes, an input topic up to %d: larger ones will go to the dead-letter topic. Raise max.message.bytes of %s."
              .formatted(topic.name(), limit, largestInput, topic.name()));
    }
    if (role == TopicRole.DEAD_LETTER && limit <= largestInput) {
      remarks.add(
          "Dead-letter topic %s takes messages up to %d bytes, an input topic up to %d, and the reason is added: one that does not fit is parked without its bytes. Set max.message.bytes of %s to %d."
              .formatted(topic.name(), limit, largestInput, topic.name(), deadLetterBytes));
    }
  }
}
