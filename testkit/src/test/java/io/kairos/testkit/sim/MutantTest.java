package io.kairos.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is broken on purpose is found, by a checker that knows nothing of it. */
class MutantTest {
  private static final int SEEDS = Integer.getInteger("sim.seeds", 2_000);

  @ParameterizedTest
  @EnumSource
  void a_mutant_breaks_a_rule_within_the_seeds_that_are_run(Mutant mutant) {
    for (long seed = 1; seed <= SEEDS; seed++) {
      // By a rule: a mutant that merely dies of itself has proved nothing.
      if (Simulation.run(seed, mutant, false).broken().orElse(null) instanceof RuleBroken) {
        return;
      }
    }
    assertThat(mutant).as("survived %d seeds", SEEDS).isNull();
  }
}
