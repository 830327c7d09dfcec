package io.kairos.simulator.replica;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every mutant is found, by a judge that knows nothing of it. */
class ReplicaMutantTest {
  /** Most mutants are caught by the first seed, the hardest by the 23rd. */
  private static final int MOST_SEEDS = 200;

  @ParameterizedTest
  @EnumSource
  void a_mutant_breaks_a_rule_within_few_seeds(ReplicaMutant mutant) {
    for (long seed = 1; seed <= MOST_SEEDS; seed++) {
      // By a rule: a mutant that merely dies of itself has proved nothing, and throws here.
      if (ReplicaSimulation.run(seed, mutant).broken().isPresent()) {
        return;
      }
    }
    assertThat(mutant).as("survived %d seeds", MOST_SEEDS).isNull();
  }
}
