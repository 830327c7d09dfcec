package io.kairos.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.simulator.delay.DelayMutant;
import io.kairos.simulator.kernel.RuleViolation;
import io.kairos.simulator.kernel.SimulationOutcome;
import io.kairos.simulator.replica.ReplicaMutant;
import io.kairos.simulator.replica.ReplicaSimulation;
import io.kairos.simulator.schedule.ScheduleMutant;
import io.kairos.simulator.task.GraphMutant;
import io.kairos.simulator.task.TaskMutant;
import java.util.Map;
import java.util.function.LongFunction;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every mutant is found, by a checker that knows nothing of it. */
class MutantTest {
  /** Most mutants are caught by one of the first three seeds. */
  private static final int MOST_SEEDS = 2_000;

  /** The hardest mutant of replicas is caught by the 23rd seed. */
  private static final int MOST_SEEDS_OF_REPLICAS = 200;

  /** The seeds that catch the others: the search begins there and so ends sooner. */
  private static final Map<Enum<?>, Integer> CAUGHT_BY =
      Map.of(
          DelayMutant.FAILED_PUBLISH_FORGOTTEN,
          34,
          DelayMutant.SUPERSEDED_BATCH_STORED,
          34,
          DelayMutant.RETIRED_BEFORE_IT_HAS_SETTLED,
          65,
          DelayMutant.MAYBE_FIRED_FORGOTTEN,
          83,
          DelayMutant.UNGUARDED_DECISION,
          146,
          DelayMutant.UNGUARDED_RESET,
          264,
          TaskMutant.SETTLED_WITHOUT_FENCE,
          27,
          ScheduleMutant.FORGETS_WHAT_AN_EDIT_FOUND_DUE,
          6,
          ScheduleMutant.KEEPS_OLD_RULES_OF_ZONES,
          123);

  @ParameterizedTest
  @EnumSource
  void a_mutant_breaks_a_rule_within_few_seeds(DelayMutant mutant) {
    assertIsCaught(mutant, MOST_SEEDS, seed -> Simulation.run(seed, mutant, false));
  }

  @ParameterizedTest
  @EnumSource
  void a_mutant_of_tasks_breaks_a_rule_within_few_seeds(TaskMutant mutant) {
    assertIsCaught(mutant, MOST_SEEDS, seed -> Simulation.run(seed, mutant, false));
  }

  @ParameterizedTest
  @EnumSource
  void a_mutant_of_graphs_breaks_a_rule_within_few_seeds(GraphMutant mutant) {
    assertIsCaught(mutant, MOST_SEEDS, seed -> Simulation.runGraphs(seed, mutant, false));
  }

  @ParameterizedTest
  @EnumSource
  void a_mutant_of_schedules_breaks_a_rule_within_few_seeds(ScheduleMutant mutant) {
    assertIsCaught(mutant, MOST_SEEDS, seed -> Simulation.run(seed, mutant, false));
  }

  @ParameterizedTest
  @EnumSource
  void a_mutant_of_replicas_breaks_a_rule_within_few_seeds(ReplicaMutant mutant) {
    assertIsCaught(mutant, MOST_SEEDS_OF_REPLICAS, seed -> ReplicaSimulation.run(seed, mutant));
  }

  private static void assertIsCaught(
      Enum<?> mutant, int most, LongFunction<SimulationOutcome> run) {
    long first = CAUGHT_BY.getOrDefault(mutant, 1);
    for (long seed = first; seed < first + most; seed++) {
      // By a rule: a mutant that merely dies of itself has proved nothing.
      if (run.apply(seed).broken().orElse(null) instanceof RuleViolation) {
        return;
      }
    }
    assertThat(mutant).as("survived %d seeds", most).isNull();
  }
}
