package io.kairos.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kairos.embedded.EmbeddedStartException.Problem;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Real brokers in JVMs of their own. A start takes seconds, so each test does several things with
 * one.
 */
class EmbeddedKafkaTest {
  @TempDir Path directory;

  @Test
  void keeps_its_records_when_it_is_killed_and_waits_when_it_is_paused() throws Exception {
    try (EmbeddedKafka kafka = EmbeddedKafka.start(KafkaOptions.forTests(directory))) {
      String servers = kafka.bootstrapServers();
      Topic topic = new Topic(servers, "kept");
      topic.create(Map.of(0, List.of(1)));
      topic.send(0, "before the kill");

      kafka.kill();
      assertThat(kafka.isRunning()).isFalse();
      kafka.restart();

      assertThat(kafka.bootstrapServers()).isEqualTo(servers);
      assertThat(topic.values(0)).containsExactly("before the kill");

      kafka.pause();
      assertThatThrownBy(() -> topic.sendImpatiently(0, "while paused"))
          .isInstanceOf(ExecutionException.class)
          .hasCauseInstanceOf(TimeoutException.class);
      kafka.resume();
      topic.send(0, "after it");
      assertThat(topic.values(0)).startsWith("before the kill").endsWith("after it");

      assertThatThrownBy(() -> new Topic(servers, "unknown").sendImpatiently(0, "x"))
          .as("no topic appears by being written to")
          .hasCauseInstanceOf(TimeoutException.class);
      StartRefusal.of(
              Problem.DIRECTORY_IN_USE, () -> EmbeddedKafka.start(KafkaOptions.forTests(directory)))
          .hasMessageContaining("process " + ProcessHandle.current().pid());
    }
  }

  @Tag("long")
  @Test
  void loses_only_the_partitions_of_a_second_broker_that_is_stopped() throws Exception {
    try (EmbeddedKafka first =
            EmbeddedKafka.start(KafkaOptions.forTests(directory.resolve("first")));
        EmbeddedKafka second =
            EmbeddedKafka.start(
                KafkaOptions.forTests(directory.resolve("second")).joining(first.asPeer(), 2))) {
      Topic topic = new Topic(first.bootstrapServers(), "split");
      topic.create(Map.of(0, List.of(1), 1, List.of(2)));
      topic.send(0, "on the first");
      topic.send(1, "on the second");
      assertThat(topic.nodesOf("__consumer_offsets"))
          .as("groups go on without the second broker")
          .isEqualTo(Set.of(1));

      second.kill();

      topic.send(0, "still there");
      assertThatThrownBy(() -> topic.sendImpatiently(1, "nobody home"))
          .hasCauseInstanceOf(TimeoutException.class);
      second.restart();
      topic.send(1, "back again");
      assertThat(topic.values(0)).containsExactly("on the first", "still there");
      assertThat(topic.values(1)).startsWith("on the second").endsWith("back again");
    }
  }

  @Test
  void says_that_too_few_files_may_be_open() {
    StartRefusal.of(Problem.TOO_FEW_FILES, () -> OptionChecks.openFiles("Kafka", 256))
        .hasMessageContaining("256")
        .hasMessageContaining("ulimit -n");
    OptionChecks.openFiles("Kafka", OptionChecks.openFileLimit());
  }

  @Test
  void says_that_its_port_is_taken() throws IOException {
    try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      KafkaOptions options = KafkaOptions.forTests(directory).withPort(other.getLocalPort());

      StartRefusal.of(Problem.PORT_TAKEN, () -> EmbeddedKafka.start(options))
          .hasMessageContaining("Port " + other.getLocalPort());
    }
  }

  @Test
  void takes_other_ports_when_one_that_it_chose_is_taken_in_between() throws IOException {
    try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      var ports =
          Stream.concat(
                  Stream.of(LoopbackPort.choose(), other.getLocalPort(), other.getLocalPort()),
                  Stream.generate(LoopbackPort::choose))
              .iterator();

      try (EmbeddedKafka kafka =
          EmbeddedKafka.start(KafkaOptions.forTests(directory), ports::next)) {
        assertThat(kafka.isRunning()).isTrue();
        assertThat(kafka.port()).isNotEqualTo(other.getLocalPort());
      }
    }
  }

  @Test
  void says_what_kafka_said_when_it_does_not_like_a_setting() {
    KafkaOptions options =
        KafkaOptions.forTests(directory).withSettings(Map.of("num.io.threads", "none"));

    StartRefusal.of(Problem.ENDED_EARLY, () -> EmbeddedKafka.start(options))
        .hasMessageContaining("num.io.threads");
  }
}
