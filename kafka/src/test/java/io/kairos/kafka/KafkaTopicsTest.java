package io.kairos.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.kairos.embedded.EmbeddedKafka;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class KafkaTopicsTest {
  private static final String SERVER = EmbeddedKafka.shared().bootstrapServers();

  private final KafkaFixture broker = KafkaFixture.shared();
  private final String input = KafkaFixture.freshName();
  private final String output = KafkaFixture.freshName();
  private final String dead = KafkaFixture.freshName();
  private final Map<String, TopicRole> roles =
      Map.of(input, TopicRole.INPUT, output, TopicRole.OUTPUT, dead, TopicRole.DEAD_LETTER);

  @Test
  void what_is_missing_is_created_and_the_dead_letter_topic_takes_more() {
    TopicsReport report = topics(true).check(roles);

    assertThat(report.created()).containsExactlyInAnyOrder(input, output, dead);
    assertThat(report.brokers()).isEqualTo(1);
    assertThat(report.remarks()).singleElement().asString().contains("single broker");
    for (String topic : roles.keySet()) {
      Eventually.within(
          Duration.ofSeconds(20), topic + " is there", () -> broker.partitions(topic) > 0);
    }
    assertThat(broker.setting(input, "max.decompressed.message.bytes")).isEqualTo("16777216");
    assertThat(maxMessageBytes(dead)).isGreaterThan(2 * maxMessageBytes(input));
    assertThat(broker.partitions(input)).isEqualTo(4);
    assertThat(broker.partitions(dead)).isEqualTo(4);

    assertThat(topics(false).check(roles).created()).isEmpty();
  }

  @Test
  void what_is_missing_and_may_not_be_created_is_told_with_the_command_and_the_key() {
    topics(true).check(Map.of(input, TopicRole.INPUT));

    assertThatExceptionOfType(TopicsUnusable.class)
        .isThrownBy(() -> topics(false).check(roles))
        .withMessageContaining("has no topic")
        .withMessageContaining("kafka.topics.create")
        .withMessageContaining(
            "kafka-topics.sh --bootstrap-server %s --create --topic %s --partitions 4"
                .formatted(SERVER, output))
        .withMessageContaining(
            "--topic %s --partitions 4 --config max.message.bytes=".formatted(dead))
        .withMessageNotContaining("--topic " + input + " ")
        .matches(unusable -> !unusable.brokerAway());
    assertThat(broker.partitions(output)).isZero();
  }

  @Test
  void a_topic_that_the_broker_will_not_create_is_told_with_the_reason() {
    KafkaConfig config =
        KafkaConfig.at(SERVER, "test")
            .withTopics(new KafkaConfig.Topics(true, 4, 3, Duration.ofSeconds(10)));

    assertThatExceptionOfType(TopicsUnusable.class)
        .isThrownBy(() -> new KafkaTopics(config).check(roles))
        .withMessageContaining("could not be created")
        .withMessageContaining("replication factor")
        .withMessageContaining("--replication-factor 3");
  }

  @Test
  void a_dead_letter_topic_that_takes_too_little_is_remarked_on() {
    String small = broker.newTopic(1, Map.of("max.message.bytes", "2000"));

    TopicsReport report =
        topics(true).check(Map.of(input, TopicRole.INPUT, small, TopicRole.DEAD_LETTER));

    assertThat(report.remarks())
        .anyMatch(remark -> remark.contains("Set max.message.bytes of " + small));
  }

  @Test
  void a_broker_that_is_away_is_told_from_a_topic_that_is_missing() {
    KafkaConfig nobody =
        KafkaConfig.at("127.0.0.1:1", "test")
            .withTopics(new KafkaConfig.Topics(true, 4, 0, Duration.ofMillis(500)));

    assertThatExceptionOfType(TopicsUnusable.class)
        .isThrownBy(() -> new KafkaTopics(nobody).check(roles))
        .withMessageContaining("127.0.0.1:1 does not answer")
        .matches(TopicsUnusable::brokerAway);
  }

  @Test
  void a_broker_whose_name_has_no_address_is_away() {
    KafkaConfig nobody = KafkaConfig.at("broker.invalid:9092", "test");

    assertThatExceptionOfType(TopicsUnusable.class)
        .isThrownBy(() -> new KafkaTopics(nobody).check(roles))
        .withMessageContaining("No host of broker.invalid:9092 has an address")
        .matches(TopicsUnusable::brokerAway);
  }

  private static KafkaTopics topics(boolean create) {
    return new KafkaTopics(
        KafkaConfig.at(SERVER, "test")
            .withTopics(new KafkaConfig.Topics(create, 4, 0, Duration.ofSeconds(30))));
  }

  private int maxMessageBytes(String topic) {
    return Integer.parseInt(broker.setting(topic, "max.message.bytes"));
  }
}
