package io.kairos.simulator.replica;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Clusters through many seeds, a virtual hour each. {@code -Dsim.seeds} says how many in all,
 * {@code -Dsim.seed} replays one. Two subclasses share them, so that two processes do.
 */
abstract class ReplicaSeeds {
  private final boolean even;

  /** How many are run: about two minutes of one core. */
  static int seeds() {
    return Integer.getInteger("sim.seeds", 200);
  }

  ReplicaSeeds(boolean even) {
    this.even = even;
  }

  @Test
  void every_rule_holds_in_every_seed_and_every_rare_state_is_reached() {
    Long replayed = Long.getLong("sim.seed");
    if (replayed != null) {
      ReplicaSimulation.Outcome outcome = ReplicaSimulation.run(replayed);
      assertThat(outcome.broken()).as(outcome.report()).isEmpty();
      return;
    }
    Map<ReplicaRareState, Integer> reached = new EnumMap<>(ReplicaRareState.class);
    int seeds = seeds();
    for (long seed = even ? 2 : 1; seed <= seeds; seed += 2) {
      ReplicaSimulation.Outcome outcome = ReplicaSimulation.run(seed);
      assertThat(outcome.broken()).as(outcome.report()).isEmpty();
      outcome.rareStates().forEach((state, times) -> reached.merge(state, times, Integer::sum));
    }
    assertThat(reached.keySet())
        .as("states never reached in %d seeds", seeds)
        .contains(ReplicaRareState.values());
  }
}
