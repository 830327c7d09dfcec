package io.kairos.domain.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kairos.domain.replica.ReplicaGroup.Faults;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReplicaGroupTest {
  @ParameterizedTest
  @CsvSource({
    "1, CRASH, 0",
    "2, CRASH, 0",
    "3, CRASH, 1",
    "4, CRASH, 1",
    "5, CRASH, 2",
    "7, CRASH, 3",
    "1, BYZANTINE, 0",
    "3, BYZANTINE, 0",
    "4, BYZANTINE, 1",
    "7, BYZANTINE, 2",
    "10, BYZANTINE, 3"
  })
  void so_many_replicas_may_fail(int size, Faults faults, int f) {
    assertThat(new ReplicaGroup(size, faults).mayFail()).isEqualTo(f);
  }

  @Test
  void replicas_are_numbered_from_0() {
    ReplicaGroup three = new ReplicaGroup(3, Faults.CRASH);

    assertThat(three.replicas())
        .containsExactly(new ReplicaId(0), new ReplicaId(1), new ReplicaId(2));
    assertThat(three.has(new ReplicaId(2))).isTrue();
    assertThat(three.has(new ReplicaId(3))).isFalse();
  }

  @Test
  void a_cluster_has_1_to_64_replicas() {
    assertThatThrownBy(() -> new ReplicaGroup(0, Faults.CRASH)).hasMessageContaining("64");
    assertThatThrownBy(() -> new ReplicaGroup(65, Faults.CRASH)).hasMessageContaining("64");
    assertThatThrownBy(() -> new ReplicaId(-1)).hasMessageContaining("63");
    assertThatThrownBy(() -> new ReplicaId(64)).hasMessageContaining("63");
  }
}
