package io.kairos.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Production nodes through many seeds. {@code -Dsim.seeds} says how many in all, {@code -Dsim.seed}
 * replays one. Two subclasses of each subject share them, so that two processes do; whichever a
 * process runs first takes longer, as it waits for the code to be compiled.
 */
abstract class SimulatedSeeds {
  private final Subject subject;
  private final boolean even;

  /** How many are run: for tasks 12 s of one core for compiling, and 60 ms for each. */
  static int seeds(Subject subject) {
    int shipped =
        switch (subject) {
          case DELAY_QUEUE -> 2_000;
          case TASKS -> 2_000;
          case SCHEDULES -> 300;
        };
    return Integer.getInteger("sim.seeds", shipped);
  }

  SimulatedSeeds(Subject subject, boolean even) {
    this.subject = subject;
    this.even = even;
  }

  @Test
  void every_rule_holds_in_every_seed_and_every_rare_state_is_reached() {
    Long replayed = Long.getLong("sim.seed");
    if (replayed != null) {
      Simulation.Outcome outcome = Simulation.run(subject, replayed, true);
      assertThat(outcome.broken()).as(outcome.report()).isEmpty();
      return;
    }
    Map<RareState, Integer> reached = new EnumMap<>(RareState.class);
    int seeds = seeds(subject);
    for (long seed = even ? 2 : 1; seed <= seeds; seed += 2) {
      Simulation.Outcome outcome = Simulation.run(subject, seed, false);
      assertThat(outcome.broken()).as(outcome.report()).isEmpty();
      outcome.rareStates().forEach((state, times) -> reached.merge(state, times, Integer::sum));
    }
    assertThat(reached.keySet())
        .as("states never reached in %d seeds", seeds)
        .containsAll(subject.rareStates());
  }
}
