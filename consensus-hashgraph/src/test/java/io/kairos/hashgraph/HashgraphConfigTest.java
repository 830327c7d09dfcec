package io.kairos.hashgraph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kairos.domain.replica.ReplicaGroup;
import io.kairos.domain.replica.ReplicaId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HashgraphConfigTest {
  @ParameterizedTest
  @CsvSource({
    "8191, 200000, 10000, 10000, 1, 1, an event has at least 8 KiB",
    "100000, 200000, 100000, 100000, 1, 1, a round has room for two events",
    "8192, 100000, 10000, 10000, 1, 1, 'two events of each replica, and for many small ones'",
    "8192, 200000, 8191, 10000, 1, 1, an event must be able to wait",
    "8192, 200000, 8192, 8191, 1, 1, an answer has room for an event",
    "8192, 200000, 8192, 8192, 0, 1, a piece has at least a byte",
    "8192, 200000, 8192, 8192, 1, 0, snapshots are rounds apart"
  })
  void bounds_that_do_not_fit_each_other_are_refused(
      int event, int round, int waiting, int sync, int piece, int every, String message) {
    assertThatThrownBy(
            () -> new HashgraphConfig.Bounds(event, round, waiting, 1, sync, piece, every))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }

  private static HashgraphConfig of(int size, ReplicaGroup.Faults faults, int self) {
    return new HashgraphConfig(
        new ReplicaId(self),
        new ReplicaGroup(size, faults),
        "cluster",
        HashgraphConfig.Pace.DEFAULT,
        HashgraphConfig.Bounds.DEFAULT);
  }

  @Test
  void a_cluster_of_another_size_or_kind_is_refused() {
    for (int size : new int[] {1, 3, 5, 6, 11, 13}) {
      assertThatThrownBy(() -> of(size, ReplicaGroup.Faults.BYZANTINE, 0))
          .hasMessageContaining("4, 7 or 10 replicas");
    }
    assertThatThrownBy(() -> of(7, ReplicaGroup.Faults.CRASH, 0))
        .hasMessageContaining("of which fewer than a third may lie");
    assertThatThrownBy(() -> of(4, ReplicaGroup.Faults.BYZANTINE, 4))
        .hasMessageContaining("the cluster has no");
  }

  @Test
  void more_than_two_thirds_decide() {
    assertThat(of(4, ReplicaGroup.Faults.BYZANTINE, 0).quorum()).isEqualTo(3);
    assertThat(of(7, ReplicaGroup.Faults.BYZANTINE, 0).quorum()).isEqualTo(5);
    assertThat(of(10, ReplicaGroup.Faults.BYZANTINE, 0).quorum()).isEqualTo(7);
  }
}
