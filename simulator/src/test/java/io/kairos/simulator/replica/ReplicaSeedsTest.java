package io.kairos.simulator.replica;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Clusters through many seeds, a virtual hour each: as many as reach every rare state, or with
 * {@code -Dkairos.long=true} more. {@code -Dsim.seeds} gives another number, {@code -Dsim.seed}
 * replays one.
 */
final class ReplicaSeedsTest {
  /** The rarest state is reached by one seed in four. */
  private static final int SEEDS =
      Integer.getInteger("sim.seeds", Boolean.getBoolean("kairos.long") ? 200 : 40);

  @Test
  void every_rule_holds_in_every_seed_and_every_rare_state_is_reached() {
    Long replayed = Long.getLong("sim.seed");
    if (replayed != null) {
      ReplicaSimulation.Outcome outcome = ReplicaSimulation.run(replayed);
      assertThat(outcome.broken()).as(outcome.report()).isEmpty();
      return;
    }
    Map<ReplicaRareState, Integer> reached = new EnumMap<>(ReplicaRareState.class);
    for (long seed = 1; seed <= SEEDS; seed++) {
      ReplicaSimulation.Outcome outcome = ReplicaSimulation.run(seed);
      assertThat(outcome.broken()).as(outcome.report()).isEmpty();
      outcome.rareStates().forEach((state, times) -> reached.merge(state, times, Integer::sum));
    }
    assertThat(reached.keySet())
        .as("states never reached in %d seeds", SEEDS)
        .contains(ReplicaRareState.values());
  }
}
