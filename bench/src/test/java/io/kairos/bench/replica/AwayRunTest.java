package io.kairos.bench.replica;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.domain.replica.ReplicaId;
import io.kairos.simulator.replica.QuietCluster.Away;
import org.junit.jupiter.api.Test;

class AwayRunTest {
  private static final ReplicaId REPLICA = new ReplicaId(1);

  @Test
  void an_hour_in_which_all_fired_has_no_failures() {
    assertThat(AwayRun.failures(REPLICA, new Away(514, 514, 60, 60, 600, true))).isEmpty();
  }

  @Test
  void agreed_time_that_stands_still_excuses_nothing() {
    Away slow = new Away(257, 257, 30, 30, 300, true);

    assertThat(AwayRun.failures(REPLICA, slow)).hasSize(3);
  }

  @Test
  void a_fire_that_was_due_by_agreed_time_is_missed() {
    assertThat(AwayRun.failures(REPLICA, new Away(514, 515, 60, 60, 600, true))).hasSize(1);
  }

  @Test
  void a_delay_is_neither_cut_short_nor_later_than_two_ticks() {
    assertThat(AwayRun.failures(REPLICA, new Away(514, 514, 60, 60, 513, true))).hasSize(1);
    assertThat(AwayRun.failures(REPLICA, new Away(514, 514, 60, 60, 722, true))).hasSize(1);
  }

  @Test
  void a_replica_that_is_back_is_equal() {
    assertThat(AwayRun.failures(REPLICA, new Away(514, 514, 60, 60, 600, false))).hasSize(1);
  }
}
