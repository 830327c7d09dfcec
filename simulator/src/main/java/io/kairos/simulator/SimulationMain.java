package io.kairos.simulator;

import io.kairos.simulator.kernel.RareState;
import io.kairos.simulator.kernel.RuleViolation;
import io.kairos.simulator.kernel.SimulationOutcome;
import io.kairos.simulator.kernel.SimulationSubject;
import java.io.PrintStream;
import java.util.EnumMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * Runs many seeds and reports the result. Arguments: {@code delay}, {@code tasks}, {@code graphs},
 * {@code schedules} or {@code replicas}, the first seed, and the number of seeds; {@code
 * -Dsim.seed} replays one seed and prints the end of its history. Give the JVM {@code
 * -Djdk.virtualThreadScheduler.parallelism=1 -Djdk.virtualThreadScheduler.maxPoolSize=1}, and run
 * one JVM per core.
 */
public final class SimulationMain {
  private static final int MOST_REPORTS_PER_RULE = 3;

  private SimulationMain() {}

  public static void main(String[] args) {
    PrintStream out = System.out;
    SimulationSubject subject = SimulationSubject.named(args.length > 0 ? args[0] : "delay");
    Long replayed = Long.getLong("sim.seed");
    if (replayed != null) {
      SimulationOutcome outcome = Simulation.run(subject, replayed, true);
      out.println(outcome.report());
      outcome.broken().ifPresent(thrown -> thrown.printStackTrace(out));
      out.printf("digest %016x, %d events%n", outcome.digest(), outcome.events());
      return;
    }
    long first = args.length > 1 ? Long.parseLong(args[1]) : 1;
    int count = args.length > 2 ? Integer.parseInt(args[2]) : 2_000;
    boolean failed = run(out, subject, first, count);
    if (failed) {
      throw new AssertionError("some seeds failed");
    }
  }

  private static boolean run(PrintStream out, SimulationSubject subject, long first, int count) {
    Map<RareState, Integer> states = new EnumMap<>(RareState.class);
    Map<String, Integer> failures = new TreeMap<>();
    long events = 0;
    long digest = 0;
    for (long seed = first; seed < first + count; seed++) {
      SimulationOutcome outcome = Simulation.run(subject, seed, false);
      outcome.rareStates().forEach((state, n) -> states.merge(state, n, Integer::sum));
      events += outcome.events();
      digest = digest * 31 + outcome.digest();
      if (outcome.broken().isPresent()) {
        String rule =
            outcome.broken().get() instanceof RuleViolation broken ? broken.rule() : "died";
        int times = failures.getOrDefault(rule, 0) + 1;
        failures.put(rule, times);
        if (times <= MOST_REPORTS_PER_RULE) {
          out.println(outcome.report());
        }
      }
    }
    out.printf("%d seeds, %d events each, digest %016x%n", count, events / count, digest);
    for (RareState state : subject.rareStates()) {
      out.printf("  %-40s %d%n", state, states.getOrDefault(state, 0));
    }
    failures.forEach((rule, n) -> out.printf("FAILED %d x %s%n", n, rule));
    if (!states.keySet().containsAll(subject.rareStates())) {
      out.println("FAILED: some state was never reached");
      return true;
    }
    return !failures.isEmpty();
  }
}
