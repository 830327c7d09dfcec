package io.kairos.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.simulator.delay.DelayMutant;
import io.kairos.simulator.delay.DelayRuleNames;
import io.kairos.simulator.kernel.ClusterScenario;
import io.kairos.simulator.kernel.SimulationOutcome;
import io.kairos.simulator.kernel.SimulationSubject;
import io.kairos.simulator.replica.ReplicaMutant;
import io.kairos.simulator.replica.ReplicaSimulation;
import java.util.function.Function;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ReplayTest {
  @ParameterizedTest
  @EnumSource
  void the_same_seed_gives_the_same_history(SimulationSubject subject) {
    int seeds = subject == SimulationSubject.REPLICAS ? 1 : 2; // those are of an hour each
    for (long seed = 1; seed <= seeds; seed++) {
      SimulationOutcome first = Simulation.run(subject, seed, false);
      SimulationOutcome again = Simulation.run(subject, seed, false);

      assertThat(again.digest()).isEqualTo(first.digest());
      assertThat(again.events()).isEqualTo(first.events());
    }
  }

  @ParameterizedTest
  @EnumSource
  void other_seeds_give_other_histories(SimulationSubject subject) {
    assertThat(Simulation.run(subject, 1, false).digest())
        .isNotEqualTo(Simulation.run(subject, 2, false).digest());
  }

  @Tag("long")
  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "REPLICAS") // those keep no words
  void keeping_the_history_in_words_does_not_change_it(SimulationSubject subject) {
    assertThat(Simulation.run(subject, 3, true).digest())
        .isEqualTo(Simulation.run(subject, 3, false).digest());
  }

  @Test
  void a_failure_names_the_rule_and_the_seed_and_fails_again_in_the_same_way() {
    DelayMutant mutant = DelayMutant.DELETED_BEFORE_THE_ACKNOWLEDGEMENT;
    assertFailsAgain(DelayRuleNames.NO_LOSS, keeps -> Simulation.run(1, mutant, keeps));
    assertFailsAgain(
        "R1 same log prefix, same state",
        _ -> ReplicaSimulation.run(1, ReplicaMutant.ACTION_KNOWS_ITS_REPLICA));
  }

  private static void assertFailsAgain(String rule, Function<Boolean, SimulationOutcome> run) {
    SimulationOutcome first = run.apply(true);
    SimulationOutcome again = run.apply(false);
    assertThat(first.report()).contains(rule).contains("-Dsim.seed=1");
    assertThat(again.broken().map(Throwable::getMessage))
        .isEqualTo(first.broken().map(Throwable::getMessage));
    assertThat(again.digest()).isEqualTo(first.digest());
  }

  @Test
  void a_seed_is_five_minutes_of_three_nodes_with_hundreds_of_messages() {
    SimulationOutcome outcome = Simulation.run(SimulationSubject.DELAY_QUEUE, 1, false);

    assertThat(ClusterScenario.END_AT).hasMinutes(5);
    assertThat(ClusterScenario.NODES).isEqualTo(3);
    assertThat(outcome.events()).isGreaterThan(10_000);
  }
}
