package io.kairos.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.LongFunction;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is broken on purpose is found, by a checker that knows nothing of it. */
class MutantTest {
  @ParameterizedTest
  @EnumSource
  void a_mutant_breaks_a_rule_within_the_seeds_that_are_run(Mutant mutant) {
    assertIsCaught(mutant, Subject.DELAY_QUEUE, seed -> Simulation.run(seed, mutant, false));
  }

  @ParameterizedTest
  @EnumSource
  void a_mutant_of_tasks_breaks_a_rule_within_the_seeds_that_are_run(TaskMutant mutant) {
    assertIsCaught(mutant, Subject.TASKS, seed -> Simulation.run(seed, mutant, false));
  }

  @ParameterizedTest
  @EnumSource
  void a_mutant_of_schedules_breaks_a_rule_within_the_seeds_that_are_run(ScheduleMutant mutant) {
    assertIsCaught(mutant, Subject.SCHEDULES, seed -> Simulation.run(seed, mutant, false));
  }

  private static void assertIsCaught(
      Enum<?> mutant, Subject subject, LongFunction<Simulation.Outcome> run) {
    int seeds = SimulatedSeeds.seeds(subject);
    for (long seed = 1; seed <= seeds; seed++) {
      // By a rule: a mutant that merely dies of itself has proved nothing.
      if (run.apply(seed).broken().orElse(null) instanceof RuleBroken) {
        return;
      }
    }
    assertThat(mutant).as("survived %d seeds", seeds).isNull();
  }
}
