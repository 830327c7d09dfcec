package io.kairos.bench.replica;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.bench.report.RunVerdict;
import io.kairos.domain.replica.Cluster;
import io.kairos.domain.replica.Cluster.Faults;
import io.kairos.simulator.replica.RoundTicks;
import java.util.List;
import org.junit.jupiter.api.Test;

class TicksRunTest {
  private static final Cluster CLUSTER = new Cluster(3, Faults.CRASH);

  @Test
  void rounds_that_come_once_a_period_with_one_tick_more_than_may_fail_are_as_they_should_be() {
    assertThat(row(List.of(2, 2, 2, 2), 4.4)).isEmpty();
  }

  @Test
  void a_round_with_a_tick_too_many_or_too_few_is_a_failure() {
    assertThat(row(List.of(2, 2, 3, 2), 4)).isNotEmpty();
    assertThat(row(List.of(2, 2, 1, 2), 4)).isNotEmpty();
  }

  @Test
  void rounds_that_last_two_periods_are_a_failure() {
    assertThat(row(List.of(2, 2, 2, 2), 8)).isNotEmpty();
  }

  private static String row(List<Integer> ticksOfEach, double room) {
    return new TicksRun.ClusterRounds(CLUSTER, RoundTicks.of(ticksOfEach), 1_000, room)
        .judge(new RunVerdict())
        .problems();
  }
}
