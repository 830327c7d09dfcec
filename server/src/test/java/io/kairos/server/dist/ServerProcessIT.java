package io.kairos.server.dist;

import static io.kairos.server.wiring.Application.header;
import static io.kairos.server.wiring.Application.message;
import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.embedded.EmbeddedKafka;
import io.kairos.embedded.EmbeddedPostgres;
import io.kairos.server.wiring.Application;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What only real processes show: signals, orphans, and work that goes on in another process. */
@Timeout(300)
class ServerProcessIT {
  /** For what hangs; of the ten seconds that the operators' page promises, ForcedExit sees to. */
  private static final Duration TERMINATES_WITHIN = Duration.ofMinutes(1);

  /** 128 and the number of the signal, as every process that a signal has ended. */
  private static final int TERMINATED = 143;

  private static final int MESSAGES = 2_000;

  @TempDir private Path folder;

  @Test // CH-1, CH-19, CH-29
  void ch03_of_two_nodes_one_is_terminated_under_load_and_each_message_comes_once()
      throws Exception {
    String run = UUID.randomUUID().toString().substring(0, 8);
    String bootstrapServers = EmbeddedKafka.shared().bootstrapServers();
    String[] words = {
      "server",
      "--set=http.port=0",
      "--set=kafka.bootstrap-servers=" + bootstrapServers,
      "--set=postgres.url=" + EmbeddedPostgres.shared().newDatabase(),
      "--set=postgres.user=" + EmbeddedPostgres.shared().user(),
      "--set=postgres.password=" + EmbeddedPostgres.shared().password(),
      "--set=delay.routes.default.input=" + run + ".in",
      "--set=delay.routes.default.output=" + run + ".out",
      "--set=delay.routes.default.dead-letter-topic=" + run + ".dead",
      "--set=delay.routes.default.relay-id=true",
      // A machine that stands still for seconds is no reason to take anything over.
      "--set=node.liveness.lapse=1m",
      "--set=delay.detection.hold-time=2m"
    };
    try (ServerProcess stays = ServerProcess.start(words);
        Application application = new Application(bootstrapServers)) {
      stays.awaitStarted();
      try (ServerProcess leaves = ServerProcess.start(words)) {
        leaves.awaitStarted();
        send(application, run + ".in", 100, 4_000);
        assertThat(application.receive(run + ".out", 1, _ -> true)).isNotEmpty();

        leaves.terminate();

        assertThat(leaves.awaitEnd(TERMINATES_WITHIN)).isEqualTo(TERMINATED);
      }

      assertThat(copiesById(application.receive(run + ".out", MESSAGES, _ -> true)))
          .hasSize(MESSAGES)
          .allSatisfy((_, copies) -> assertThat(copies).isEqualTo(1));
      assertThat(stays.metrics())
          .contains("kairos_delay_suspected_total 0.0\n")
          .contains("kairos_delay_taken_over_total{from=\"lapsed-node\"} 0.0\n");
    }
  }

  @Test // TW-15
  void ch48_a_killed_node_goes_on_with_its_kept_data_and_leaves_no_process_behind()
      throws Exception {
    String[] words = {
      "server",
      "--data-dir=" + folder,
      "--kafka-port=0",
      "--port=0",
      "--set=delay.routes.default.relay-id=true"
    };
    List<ProcessHandle> engines;
    try (ServerProcess killed = ServerProcess.start(words);
        Application application = new Application(killed.awaitStarted())) {
      send(application, "kairos.in", 500, 8_000);
      assertThat(application.receive("kairos.out", 1, _ -> true)).isNotEmpty();
      engines = killed.engines();
      assertThat(engines).hasSizeGreaterThanOrEqualTo(2);

      killed.kill();
    }
    assertThat(ServerProcess.leftOf(engines)).isEmpty();

    try (ServerProcess again = ServerProcess.start(words);
        Application application = new Application(again.awaitStarted())) {
      engines = again.engines();
      Set<String> ids =
          new HashSet<>(); // some come twice, because what was published was not noted
      assertThat(application.receive("kairos.out", MESSAGES, message -> ids.add(id(message))))
          .hasSize(MESSAGES);

      again.terminate();

      assertThat(again.awaitEnd(TERMINATES_WITHIN)).isEqualTo(TERMINATED);
      assertThat(ServerProcess.leftOf(engines)).isEmpty();
    }
  }

  @Test // PD-L13
  void without_kafka_and_traces_neither_is_started_and_none_of_their_classes_is_loaded()
      throws Exception {
    Path classes = folder.resolve("classes.log");
    try (ServerProcess process =
        ServerProcess.startWith(
            "-Xlog:class+load:file=" + classes,
            "server",
            "--without-kafka",
            "--data-dir=" + folder,
            "--port=0")) {
      process.awaitReady();

      assertThat(process.printed()).contains("is ready after").containsPattern("kafka +none\n");
      assertThat(process.metrics()).contains("kairos_node_ready 1.0");
      assertThat(folder.resolve("postgres")).exists();
      assertThat(folder.resolve("kafka")).doesNotExist();
      assertThat(Files.readString(classes))
          .contains(" io.kairos.server.wiring.NodePart ")
          .doesNotContain(" org.apache.kafka.")
          .doesNotContain(" io.opentelemetry.")
          .doesNotContain(" io.kairos.engine.delay.DelayNode ");

      process.terminate();
      assertThat(process.awaitEnd(TERMINATES_WITHIN)).isEqualTo(TERMINATED);
    }
  }

  /** Delays spread evenly; returns when the broker has all. */
  private static void send(Application application, String topic, int minMillis, int maxMillis) {
    for (int i = 0; i < MESSAGES; i++) {
      int delay = minMillis + i * (maxMillis - minMillis) / MESSAGES;
      application.sendSoon(
          message(
              topic, "k" + i, "x", "kairos-id", "m" + i, "kairos-delay", Integer.toString(delay)));
    }
    application.flush();
  }

  private static Map<String, Long> copiesById(List<ConsumerRecord<byte[], byte[]>> messages) {
    return messages.stream()
        .collect(Collectors.groupingBy(ServerProcessIT::id, TreeMap::new, Collectors.counting()));
  }

  private static String id(ConsumerRecord<byte[], byte[]> message) {
    return String.valueOf(header(message, "kairos-id"));
  }
}
