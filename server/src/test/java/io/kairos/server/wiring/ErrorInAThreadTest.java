package io.kairos.server.wiring;

import static io.kairos.server.wiring.Application.message;
import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.embedded.EmbeddedKafka;
import io.kairos.embedded.EmbeddedPostgres;
import io.kairos.engine.loop.Step;
import java.net.http.HttpClient;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A node never half-lives: an {@link Error} on a thread of its steps ends it as broken, so that the
 * other nodes take its messages over. One on the producer's network thread or on that of the client
 * that asks for topic ids ends the node as well. Others survive one: the threads of the HTTP edge,
 * see {@code HttpEdgeTest}; and the consumer's heartbeat thread, which hands every error to the
 * next poll, and that begins a new membership.
 */
@Timeout(180)
class ErrorInAThreadTest {
  private static final String RUN = UUID.randomUUID().toString().substring(0, 8);
  private static final String IN = RUN + ".in";

  private static Application application;
  private static String database;

  @BeforeAll
  static void start() {
    database = EmbeddedPostgres.shared().newDatabase();
    application = new Application(EmbeddedKafka.shared().bootstrapServers());
  }

  @AfterAll
  static void stop() {
    application.close();
  }

  /** Every activity of the node; the test fails when one is missing here. */
  private static List<String> steps() {
    return List.of(
        "intake-default",
        "fire",
        "settle",
        "claim",
        "amend",
        "tell-default",
        "takeover",
        "backstop",
        "liveness",
        "watch-nodes",
        "hiccup-meter",
        "share-figures",
        "share-workers",
        "observe",
        "observe-routes",
        "observe-store",
        "observe-tasks",
        "accept-tasks",
        "settle-tasks",
        "extend-leases",
        "await-tasks",
        "claim-tasks",
        "consume-tasks",
        "reap-tasks",
        "prune-tasks",
        "sweep-keys",
        "follow-ends",
        "sweep-edges",
        "tend-queues",
        "wake-limited",
        "fire-schedules",
        "tend-schedules",
        "ring",
        "listen",
        "follow-pools",
        "push",
        "write-audit",
        "prune-audit",
        "observe-unserved");
  }

  /** Every step ends the node through the same loop: four in the short run, all in the long one. */
  static List<String> dying() {
    int every = Boolean.getBoolean("kairos.long") ? 1 : 7;
    return IntStream.iterate(0, i -> i < steps().size(), i -> i + every)
        .mapToObj(steps()::get)
        .toList();
  }

  private static ServerConfig configured(String... more) {
    return Configured.on(
        database,
        Stream.concat(
                Stream.of(
                    "delay.routes.default.input=" + IN,
                    "delay.routes.default.output=" + RUN + ".out",
                    "delay.routes.default.dead-letter-topic=" + RUN + ".dead"),
                Stream.of(more))
            .toArray(String[]::new));
  }

  @ParameterizedTest // PD-34, PD-L12
  @MethodSource("dying")
  void ch22_an_error_in_any_loop_ends_the_node_as_broken(String dying) throws InterruptedException {
    Trap trap =
        new Trap(
            dying,
            steps().indexOf(dying) % 4 < 2
                ? () -> new OutOfMemoryError("injected")
                : () -> new StackOverflowError("injected"));
    try (RunningNode node = RunningNode.start(configured(), trap)) {
      assertThat(node.awaitReady(Configured.READY_WITHIN)).isTrue();
      assertThat(trap.seen).containsExactlyInAnyOrderElementsOf(steps());
      trap.armed = true;
      // So that every loop has something to do.
      application.send(message(IN, dying, "x", "kairos-id", dying, "kairos-delay", "50"));

      assertThat(node.awaitEnd()).isEqualTo(ExitCode.BROKEN);
      assertThat(node.obstacles()).anyMatch(why -> why.contains(dying));
    }
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

  /** Lets one step throw once it is armed. */
  private static final class Trap implements UnaryOperator<Step> {
    private final Set<String> seen = ConcurrentHashMap.newKeySet();
    private final String dying;
    private final Supplier<Error> error;
    volatile boolean armed;

    Trap(String dying, Supplier<Error> error) {
      this.dying = dying;
      this.error = error;
    }

    @Override
    public Step apply(Step step) {
      seen.add(step.name());
      return Step.of(
          step.name(),
          () -> {
            if (armed && step.name().equals(dying)) {
              throw error.get();
            }
            return step.runOnce();
          });
    }
  }
}
