package io.kairos.hashgraph;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.domain.replica.ReplicaId;
import io.kairos.engine.replica.ClientId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Replicas without requests come to the same round, and then make no events. */
class RestingClusterTest {
  private static final Duration ENOUGH = Duration.ofSeconds(30);

  private static List<Long> each(List<HashgraphLog> logs, ToLongFunction<HashgraphCore> number) {
    return logs.stream().map(log -> number.applyAsLong(log.core())).toList();
  }

  private static void pass(SimulatedHashgraphs replicas, Duration length) {
    Instant end = replicas.now().plus(length);
    assertThat(replicas.letPass(() -> !replicas.now().isBefore(end))).isTrue();
  }

  @ParameterizedTest
  @CsvSource({"4, 1", "4, 2", "4, 3", "7, 4", "10, 5"})
  void a_cluster_without_requests_comes_to_one_round_and_makes_no_more_events(int size, int seed) {
    try (SimulatedHashgraphs replicas = new SimulatedHashgraphs(size, seed)) {
      List<HashgraphLog> logs =
          IntStream.range(0, size)
              .mapToObj(
                  i -> (HashgraphLog) replicas.open(new ReplicaId(i), new SimulatedMachine(false)))
              .toList();
      for (int request = 1; request <= 20; request++) {
        logs.get(request % size).submit(new ClientId(request), 1, new byte[1], _ -> {});
        pass(replicas, Duration.ofMillis(70L * request));
      }
      pass(replicas, ENOUGH);
      List<Long> rounds = each(logs, HashgraphCore::round);
      List<Long> events = each(logs, HashgraphCore::events);
      assertThat(rounds.stream().distinct().toList()).hasSize(1);
      assertThat(rounds.getFirst()).isGreaterThan(3);

      pass(replicas, ENOUGH);
      assertThat(each(logs, HashgraphCore::events)).isEqualTo(events);
    }
  }
}
