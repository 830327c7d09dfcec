package io.kairos.simulator.kernel;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;

/** The subject of a simulation. */
public enum SimulationSubject {
  DELAY_QUEUE("delay"),
  TASKS("tasks"),
  GRAPHS("graphs"),
  SCHEDULES("schedules"),
  REPLICAS("replicas");

  private final String word;

  SimulationSubject(String word) {
    this.word = word;
  }

  /**
   * Throws {@link IllegalArgumentException} for another word than {@code delay}, {@code tasks},
   * {@code graphs}, {@code schedules} or {@code replicas}.
   */
  public static SimulationSubject named(String word) {
    return Arrays.stream(values())
        .filter(subject -> subject.word.equals(word))
        .findFirst()
        .orElseThrow(() ->
            new IllegalArgumentException(
                "delay, tasks, graphs, schedules or replicas, not " + word));
  }

  /** The states that its simulations are to reach. */
  public Set<RareState> rareStates() {
    Set<RareState> states = EnumSet.noneOf(RareState.class);
    for (RareState state : RareState.values()) {
      if (state.isOf(this)) {
        states.add(state);
      }
    }
    return states;
  }
}
