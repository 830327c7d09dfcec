package io.kairos.simulator.replica;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is broken on purpose is found, by a judge that knows nothing of it. */
class ReplicaMutantTest {
  @ParameterizedTest
  @EnumSource
  void a_mutant_breaks_a_rule_within_the_seeds_that_are_run(ReplicaMutant mutant) {
    int seeds = ReplicaSeeds.seeds();
    for (long seed = 1; seed <= seeds; seed++) {
      // By a rule: a mutant that merely dies of itself has proved nothing, and throws here.
      if (ReplicaSimulation.run(seed, mutant).broken().isPresent()) {
        return;
      }
    }
    assertThat(mutant).as("survived %d seeds", seeds).isNull();
  }
}
