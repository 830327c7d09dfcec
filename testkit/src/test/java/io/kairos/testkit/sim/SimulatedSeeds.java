package io.kairos.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Production nodes through many seeds. {@code -Dsim.seeds} says how many in all, {@code -Dsim.seed}
 * replays one. Two subclasses share them, so that two processes do.
 */
abstract class SimulatedSeeds {
  private static final int SEEDS = Integer.getInteger("sim.seeds", 2_000);

  private final boolean even;

  SimulatedSeeds(boolean even) {
    this.even = even;
  }

  @Test
  void every_rule_holds_in_every_seed_and_every_rare_state_is_reached() {
    Long replayed = Long.getLong("sim.seed");
    if (replayed != null) {
      Simulation.Outcome outcome = Simulation.run(replayed, Wiring.PRODUCTION, true);
      assertThat(outcome.broken()).as(outcome.report()).isEmpty();
      return;
    }
    Map<RareState, Integer> reached = new EnumMap<>(RareState.class);
    for (long seed = even ? 2 : 1; seed <= SEEDS; seed += 2) {
      Simulation.Outcome outcome = Simulation.run(seed);
      assertThat(outcome.broken()).as(outcome.report()).isEmpty();
      outcome.rareStates().forEach((state, times) -> reached.merge(state, times, Integer::sum));
    }
    assertThat(reached)
        .as("states never reached in %d seeds", SEEDS)
        .containsKeys(RareState.values());
  }
}
