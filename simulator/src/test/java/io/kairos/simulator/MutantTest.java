package io.kairos.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.LongFunction;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is broken on purpose is found, by a checker that knows nothing of it. */
class MutantTest {
  /** Most mutants are caught by the first three seeds, the hardest by the 177th. */
  private static final int MOST_SEEDS = 2_000;

  @ParameterizedTest
  @EnumSource
  void a_mutant_breaks_a_rule_within_few_seeds(Mutant mutant) {
    assertIsCaught(mutant, seed -> Simulation.run(seed, mutant, false));
  }

  @ParameterizedTest
  @EnumSource
  void a_mutant_of_tasks_breaks_a_rule_within_few_seeds(TaskMutant mutant) {
    assertIsCaught(mutant, seed -> Simulation.run(seed, mutant, false));
  }

  @ParameterizedTest
  @EnumSource
  void a_mutant_of_schedules_breaks_a_rule_within_few_seeds(ScheduleMutant mutant) {
    assertIsCaught(mutant, seed -> Simulation.run(seed, mutant, false));
  }

  private static void assertIsCaught(Enum<?> mutant, LongFunction<Simulation.Outcome> run) {
    for (long seed = 1; seed <= MOST_SEEDS; seed++) {
      // By a rule: a mutant that merely dies of itself has proved nothing.
      if (run.apply(seed).broken().orElse(null) instanceof RuleBroken) {
        return;
      }
    }
    assertThat(mutant).as("survived %d seeds", MOST_SEEDS).isNull();
  }
}
