package io.kairos.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TopicRemarksTest {
  private static final Map<String, String> SAFE =
      Map.of("min.insync.replicas", "2", "cleanup.policy", "delete", "max.message.bytes", "1000");

  @Test
  void a_safe_cluster_needs_no_words() {
    assertThat(remarks(3, topic("in", 3, SAFE), topic("out", 3, SAFE))).isEmpty();
  }

  @Test
  void a_single_broker_is_said_to_lose_what_the_power_takes() {
    assertThat(remarks(1, topic("in", 1, with("min.insync.replicas", "1"))))
        .singleElement()
        .asString()
        .contains("single broker")
        .contains("loss of power");
  }

  @Test
  void acknowledged_by_the_leader_alone_is_a_remark() {
    assertThat(remarks(3, topic("out", 3, with("min.insync.replicas", "1"))))
        .singleElement()
        .asString()
        .contains("Topic out has 3 replicas but min.insync.replicas is 1");
  }

  @Test
  void a_topic_that_can_acknowledge_nothing_is_a_remark() {
    assertThat(remarks(2, topic("out", 1, SAFE)))
        .singleElement()
        .asString()
        .contains("can acknowledge nothing: min.insync.replicas is 2 with 1 replicas");
  }

  @Test
  void one_replica_among_many_brokers_is_a_remark() {
    assertThat(remarks(3, topic("in", 1, with("min.insync.replicas", "1"))))
        .singleElement()
        .asString()
        .contains("Topic in has one replica in a cluster of 3 brokers");
  }

  @Test
  void compaction_loses_messages() {
    assertThat(
            remarks(
                3,
                topic("in", 3, with("cleanup.policy", "compact")),
                topic("out", 3, with("cleanup.policy", "compact,delete"))))
        .hasSize(2)
        .allMatch(remark -> remark.contains("is compacted"));
  }

  @Test
  void an_output_that_takes_less_than_the_input_is_a_remark() {
    assertThat(remarks(3, topic("in", 3, SAFE), topic("out", 3, with("max.message.bytes", "999"))))
        .singleElement()
        .asString()
        .contains("Output topic out takes messages up to 999 bytes, an input topic up to 1000");
  }

  @Test
  void a_dead_letter_topic_needs_room_for_the_reason() {
    assertThat(remarks(3, topic("in", 3, SAFE), topic("dead", 3, SAFE)))
        .singleElement()
        .asString()
        .contains("is parked without its bytes")
        .contains("Set max.message.bytes of dead to 8000");
  }

  @Test
  void an_input_that_takes_compressed_records_of_any_size_is_a_remark() {
    assertThat(
            remarks(
                3,
                topic("in", 3, with("max.decompressed.message.bytes", "2147483639")),
                topic("out", 3, with("max.decompressed.message.bytes", "2147483639"))))
        .singleElement()
        .asString()
        .contains("Set max.decompressed.message.bytes of in to 5000");
  }

  @Test
  void what_cannot_be_read_is_not_remarked_on() {
    assertThat(remarks(3, topic("in", 3, Map.of()), topic("dead", 3, Map.of()))).isEmpty();
  }

  private static List<String> remarks(int brokers, TopicFacts... topics) {
    Map<String, TopicFacts> facts = new HashMap<>();
    for (TopicFacts topic : topics) {
      facts.put(topic.name(), topic);
    }
    return TopicRemarks.on(
        brokers,
        Map.of("in", TopicRole.INPUT, "out", TopicRole.OUTPUT, "dead", TopicRole.DEAD_LETTER),
        facts,
        8_000,
        5_000);
  }

  private static TopicFacts topic(String name, int replication, Map<String, String> settings) {
    return new TopicFacts(name, 4, replication, settings);
  }

  private static Map<String, String> with(String setting, String value) {
    Map<String, String> settings = new HashMap<>(SAFE);
    settings.put(setting, value);
    return settings;
  }
}
