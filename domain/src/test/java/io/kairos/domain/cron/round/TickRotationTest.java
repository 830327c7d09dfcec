package io.kairos.domain.cron.round;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.domain.replica.ReplicaGroup;
import io.kairos.domain.replica.ReplicaGroup.Faults;
import io.kairos.domain.replica.ReplicaId;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class TickRotationTest {
  private static List<Integer> inTurn(TickRotation rotation, long round) {
    return rotation.inTurn(round).stream().map(ReplicaId::number).toList();
  }

  @Test
  void cc_f1_turns_go_around() {
    TickRotation three = new TickRotation(new ReplicaGroup(3, Faults.CRASH));
    TickRotation four = new TickRotation(new ReplicaGroup(4, Faults.BYZANTINE));

    assertThat(inTurn(three, 0)).containsExactly(0, 1);
    assertThat(inTurn(three, 1)).containsExactly(2, 0);
    assertThat(inTurn(three, 2)).containsExactly(1, 2);
    assertThat(inTurn(three, 3)).containsExactly(0, 1);
    assertThat(inTurn(four, 1)).containsExactly(2, 3);
    assertThat(inTurn(new TickRotation(new ReplicaGroup(1, Faults.CRASH)), 5)).containsExactly(0);
  }

  @ParameterizedTest
  @EnumSource
  void cc_f1_each_round_has_one_more_than_may_fail_and_all_have_their_turn(Faults faults) {
    for (int size = 1; size <= ReplicaGroup.LARGEST; size++) {
      ReplicaGroup cluster = new ReplicaGroup(size, faults);
      TickRotation rotation = new TickRotation(cluster);
      Map<Integer, Integer> turns = new HashMap<>();
      for (long round = 0; round < size; round++) {
        List<Integer> inTurn = inTurn(rotation, round);
        assertThat(inTurn).hasSize(cluster.mayFail() + 1).doesNotHaveDuplicates();
        inTurn.forEach(replica -> turns.merge(replica, 1, Integer::sum));
        for (ReplicaId replica : cluster.replicas()) {
          assertThat(rotation.isInTurn(replica, round))
              .isEqualTo(inTurn.contains(replica.number()));
        }
      }
      assertThat(turns).hasSize(size);
      assertThat(Set.copyOf(turns.values())).containsExactly(cluster.mayFail() + 1);
    }
  }

  @Test
  void turns_go_on_for_as_long_as_rounds_can_be_counted() {
    TickRotation rotation = new TickRotation(new ReplicaGroup(7, Faults.CRASH));
    Set<Integer> seen = new HashSet<>();
    for (long round = Long.MAX_VALUE - 7; round < Long.MAX_VALUE; round++) {
      seen.addAll(inTurn(rotation, round));
    }

    assertThat(seen).hasSize(7);
    assertThat(rotation.isInTurn(new ReplicaId(7), 1)).isFalse();
  }
}
