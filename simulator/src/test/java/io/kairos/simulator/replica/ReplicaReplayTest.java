package io.kairos.simulator.replica;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ReplicaReplayTest {
  @Test
  void the_same_seed_gives_the_same_history_and_another_another() {
    ReplicaSimulation.Outcome first = ReplicaSimulation.run(3);
    ReplicaSimulation.Outcome again = ReplicaSimulation.run(3);

    assertThat(again.history()).isEqualTo(first.history());
    assertThat(again.happenings()).isEqualTo(first.happenings());
    assertThat(ReplicaSimulation.run(4).history()).isNotEqualTo(first.history());
  }

  @Test
  void a_failure_names_the_rule_and_the_seed_and_fails_again_in_the_same_way() {
    ReplicaMutant mutant = ReplicaMutant.ACTION_KNOWS_ITS_REPLICA;
    ReplicaSimulation.Outcome first = ReplicaSimulation.run(1, mutant);
    ReplicaSimulation.Outcome again = ReplicaSimulation.run(1, mutant);

    assertThat(first.report()).contains(ReplicaJudge.SAME_STATE).contains("-Dsim.seed=1");
    assertThat(again.report()).isEqualTo(first.report());
  }
}
