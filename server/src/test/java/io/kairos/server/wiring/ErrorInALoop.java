package io.kairos.server.wiring;

import static io.kairos.server.wiring.Application.message;
import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.embedded.EmbeddedKafka;
import io.kairos.embedded.EmbeddedPostgres;
import io.kairos.engine.loop.Next;
import io.kairos.engine.loop.Step;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A node never half-lives: an {@link Error} on a thread of its steps ends it as broken, so that the
 * other nodes take its messages over. Two subclasses share the steps, so that two processes do.
 */
@Timeout(180)
abstract class ErrorInALoop {
  static final String RUN = UUID.randomUUID().toString().substring(0, 8);
  static final String IN = RUN + ".in";

  static Application application;
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
  static List<String> steps() {
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
        "hiccup-meter",
        "observe",
        "observe-store",
        "observe-tasks",
        "accept-tasks",
        "settle-tasks",
        "extend-leases",
        "claim-tasks",
        "consume-tasks",
        "reap-tasks",
        "prune-tasks",
        "sweep-keys",
        "tend-queues",
        "fire-schedules",
        "tend-schedules",
        "ring",
        "listen",
        "follow-pools",
        "push");
  }

  /** Every other one. */
  static List<String> every(boolean even) {
    return steps().stream().filter(step -> (steps().indexOf(step) % 2 == 0) == even).toList();
  }

  static ServerConfig configured(String... more) {
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

  @ParameterizedTest
  @MethodSource("mine")
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

  /** Lets one step throw once it is armed. */
  static final class Trap implements UnaryOperator<Step> {
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
      return new Step() {
        @Override
        public String name() {
          return step.name();
        }

        @Override
        public Next runOnce() {
          if (armed && step.name().equals(dying)) {
            throw error.get();
          }
          return step.runOnce();
        }
      };
    }
  }
}
