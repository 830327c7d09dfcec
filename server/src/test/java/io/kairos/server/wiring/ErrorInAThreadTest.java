package io.kairos.server.wiring;

import static io.kairos.server.wiring.Application.message;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpClient;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Half of the steps, and what is no step: an {@link Error} on the producer's network thread or on
 * that of the client that asks for topic ids ends the node as well. Others survive one: the threads
 * of the HTTP edge, see {@code HttpEdgeTest}; and the consumer's heartbeat thread, which hands
 * every error to the next poll, and that begins a new membership.
 */
class ErrorInAThreadTest extends ErrorInALoop {
  static List<String> mine() {
    return every(true);
  }

  @Test
  void ch22_an_error_in_a_step_that_is_polled_ends_the_node_as_broken() throws Exception {
    Trap trap = new Trap("fire-schedules", () -> new StackOverflowError("injected"));
    try (RunningNode node = RunningNode.start(configured("node.loops=external"), trap);
        HttpClient http = HttpClient.newHttpClient()) {
      assertThat(node.awaitReady(Configured.READY_WITHIN)).isTrue();
      trap.armed = true;
      var _ = http.sendAsync(Poller.request(node), BodyHandlers.discarding());

      assertThat(node.awaitEnd()).isEqualTo(ExitCode.BROKEN);
      assertThat(node.obstacles()).anyMatch(why -> why.contains("fire-schedules"));
      http.shutdownNow();
    }
  }

  @Test
  void an_error_in_the_producers_network_thread_ends_the_node_as_broken()
      throws InterruptedException {
    ServerConfig config =
        configured(
            "kafka.client.metric.reporters=" + DyingNetworkThread.OfProducer.class.getName());
    try (RunningNode node = RunningNode.start(config)) {
      assertThat(node.awaitReady(Configured.READY_WITHIN)).isTrue();
      application.send(message(IN, "network", "x", "kairos-id", "network", "kairos-delay", "50"));

      assertThat(node.awaitEnd()).isEqualTo(ExitCode.BROKEN);
      assertThat(node.obstacles()).anyMatch(why -> why.contains("producer"));
    }
  }

  static List<Arguments> readers() {
    return List.of(
        Arguments.of(DyingNetworkThread.OfTopicIds.class, "input of route default"),
        Arguments.of(DyingNetworkThread.OfConsumer.class, "intake-default"));
  }

  @ParameterizedTest
  @MethodSource("readers")
  void an_error_in_the_network_work_of_what_reads_the_input_ends_the_node_as_broken(
      Class<?> dying, String what) throws InterruptedException {
    ServerConfig config = configured("kafka.client.metric.reporters=" + dying.getName());
    try (RunningNode node = RunningNode.start(config)) {
      assertThat(node.awaitEnd()).isEqualTo(ExitCode.BROKEN);
      assertThat(node.obstacles()).anyMatch(why -> why.contains(what));
    }
  }
}
