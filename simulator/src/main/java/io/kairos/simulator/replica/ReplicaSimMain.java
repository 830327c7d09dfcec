package io.kairos.simulator.replica;

import java.io.PrintStream;
import java.util.EnumMap;
import java.util.Map;

/**
 * Runs many seeds of replicated cron and says what came of them. Arguments: the first seed and how
 * many; {@code -Dsim.seed} replays one.
 */
public final class ReplicaSimMain {
  private static final int MOST_REPORTS = 5;

  private ReplicaSimMain() {}

  public static void main(String[] args) {
    PrintStream out = System.out;
    Long replayed = Long.getLong("sim.seed");
    long first = replayed != null ? replayed : args.length > 0 ? Long.parseLong(args[0]) : 1;
    int count = replayed != null ? 1 : args.length > 1 ? Integer.parseInt(args[1]) : 10_000;
    Map<ReplicaRareState, Integer> states = new EnumMap<>(ReplicaRareState.class);
    long history = 0;
    long happenings = 0;
    int failures = 0;
    for (long seed = first; seed < first + count; seed++) {
      ReplicaSimulation.Outcome outcome = ReplicaSimulation.run(seed);
      outcome.rareStates().forEach((state, n) -> states.merge(state, n, Integer::sum));
      history = history * 31 + outcome.history();
      happenings += outcome.happenings();
      if (outcome.broken().isPresent() && ++failures <= MOST_REPORTS) {
        out.println(outcome.report());
      }
    }
    out.printf(
        "%d seeds, %d happenings each, history %016x, %d failed%n",
        count, happenings / count, history, failures);
    for (ReplicaRareState state : ReplicaRareState.values()) {
      out.printf("  %-36s %d%n", state, states.getOrDefault(state, 0));
    }
    if (failures > 0) {
      throw new AssertionError(failures + " seeds failed");
    }
  }
}
