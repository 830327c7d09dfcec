package io.kairos.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KafkaConfigTest {
  private static final KafkaConfig DEFAULT = KafkaConfig.at("127.0.0.1:9092", "node-1");

  @ParameterizedTest
  @ValueSource(
      strings = {
        "acks",
        "enable.idempotence",
        "enable.auto.commit",
        "auto.offset.reset",
        "isolation.level",
        "group.id",
        "delivery.timeout.ms",
        "max.block.ms",
        "bootstrap.servers",
        "value.serializer"
      })
  void what_carries_a_promise_cannot_be_changed_from_outside(String name) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> with(Map.of(name, "1")))
        .withMessageStartingWith("kafka.client." + name + " cannot be set: ");
  }

  @Test
  void a_property_that_no_client_knows_is_refused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> with(Map.of("sasl.mechanisms", "PLAIN")))
        .withMessage("kafka.client.sasl.mechanisms is not a property of the Kafka clients");
  }

  @Test
  void each_client_gets_the_properties_that_it_knows() {
    KafkaConfig config =
        with(
            Map.of(
                "security.protocol", "SSL",
                "compression.type", "lz4",
                "max.partition.fetch.bytes", "4096"));

    Map<String, Object> producer = ClientSettings.producer(config, "p");
    Map<String, Object> consumer = ClientSettings.consumer(config, "g", "c");
    Map<String, Object> admin = ClientSettings.admin(config, "a");

    assertThat(producer)
        .containsEntry("security.protocol", "SSL")
        .containsEntry("compression.type", "lz4")
        .doesNotContainKey("max.partition.fetch.bytes");
    assertThat(consumer)
        .containsEntry("security.protocol", "SSL")
        .containsEntry("max.partition.fetch.bytes", "4096")
        .doesNotContainKey("compression.type");
    assertThat(admin).containsEntry("security.protocol", "SSL").doesNotContainKey("linger.ms");
  }

  @Test
  void the_promises_stand_in_the_clients_settings() {
    assertThat(ClientSettings.producer(DEFAULT, "p"))
        .containsEntry("acks", "all")
        .containsEntry("enable.idempotence", true)
        .containsEntry("max.block.ms", 0)
        .containsEntry("delivery.timeout.ms", 4_000)
        .containsEntry("compression.type", "none");
    assertThat(ClientSettings.consumer(DEFAULT, "g", "c"))
        .containsEntry("enable.auto.commit", false)
        .containsEntry("auto.offset.reset", "none")
        .containsEntry("isolation.level", "read_committed")
        .containsEntry("group.id", "g");
  }

  @Test
  void bounds_are_told_with_the_property_and_the_value() {
    assertThatIllegalArgumentException()
        .isThrownBy(() ->
            new KafkaConfig.Input(
                "kairos-", 0, 1 << 20, Duration.ofSeconds(6), Duration.ofMinutes(1)))
        .withMessage("kafka.input.max-records is 0: it must be a whole number from 1 to 100000");
    assertThatIllegalArgumentException()
        .isThrownBy(() ->
            new KafkaConfig.OutputSettings(
                Duration.ofSeconds(1), Duration.ofSeconds(1), 1 << 16, 1 << 20, 1 << 20))
        .withMessageContaining("kafka.output.linger must be in [PT0S, PT0.25S]");
    assertThatIllegalArgumentException()
        .isThrownBy(() ->
            new KafkaConfig.OutputSettings(
                Duration.ofSeconds(1), Duration.ZERO, 1 << 16, 1 << 20, 2 << 20))
        .withMessageContaining("kafka.output.max-record-bytes");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> KafkaConfig.at(" ", "node-1"))
        .withMessageContaining("kafka.bootstrap-servers");
  }

  private static KafkaConfig with(Map<String, String> client) {
    return new KafkaConfig(
        DEFAULT.bootstrapServers(),
        client,
        DEFAULT.clientId(),
        DEFAULT.input(),
        DEFAULT.output(),
        DEFAULT.topics());
  }
}
