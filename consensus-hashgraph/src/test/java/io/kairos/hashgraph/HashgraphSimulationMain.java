package io.kairos.hashgraph;

import io.kairos.hashgraph.HashgraphSimulation.Given;
import java.io.PrintStream;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * Runs many seeds and reports the result. Arguments: the first seed, the number of seeds, and
 * {@code cron} for replicas that run cron; {@code -Dsim.seed} replays one seed. Runs on one thread;
 * run one JVM per core.
 */
final class HashgraphSimulationMain {
  private static final int MOST_REPORTS_PER_RULE = 3;

  private HashgraphSimulationMain() {}

  public static void main(String[] args) {
    PrintStream out = System.out;
    Given given = Arrays.asList(args).contains("cron") ? Given.CRON : Given.HASHES;
    Long replayed = HashgraphSimulation.replayed();
    if (replayed != null) {
      HashgraphSimulation.Outcome outcome = HashgraphSimulation.run(replayed, given);
      out.println(outcome.report());
      outcome.broken().ifPresent(thrown -> thrown.printStackTrace(out));
      out.printf(
          "history %016x, %d events decided after the first lie, reached %s%n",
          outcome.history(), outcome.decidedAfterLie(), outcome.reached());
      return;
    }
    long first = args.length > 0 ? Long.parseLong(args[0]) : 1;
    int count = args.length > 1 ? Integer.parseInt(args[1]) : 200;
    if (run(out, first, count, given)) {
      throw new AssertionError("some seeds failed");
    }
  }

  private static boolean run(PrintStream out, long first, int count, Given given) {
    Map<RareState, Integer> states = new EnumMap<>(RareState.class);
    Map<String, Integer> failures = new TreeMap<>();
    long evaluations = 0;
    long decided = 0;
    int lying = 0;
    int enough = 0;
    int large = 0;
    long least = Long.MAX_VALUE;
    long history = 0;
    for (long seed = first; seed < first + count; seed++) {
      HashgraphSimulation.Outcome outcome = HashgraphSimulation.run(seed, given);
      evaluations += outcome.evaluations();
      outcome.reached().keySet().forEach(state -> states.merge(state, 1, Integer::sum));
      history = history * 31 + outcome.history();
      large += outcome.isLarge() ? 1 : 0;
      if (outcome.hasLiars()) {
        lying++;
        decided += outcome.decidedAfterLie();
        least = Math.min(least, outcome.decidedAfterLie());
        enough += outcome.decidedAfterLie() >= HashgraphSimulation.ENOUGH_DECIDED ? 1 : 0;
      }
      if (outcome.broken().isPresent()) {
        String rule =
            outcome.broken().get() instanceof HashgraphJudge.Broken broken ? broken.rule : "died";
        int times = failures.getOrDefault(rule, 0) + 1;
        failures.put(rule, times);
        if (times <= MOST_REPORTS_PER_RULE) {
          out.println(outcome.report());
        }
      }
    }
    out.printf(
        "%d seeds from %d, %d with 7 or 10 replicas, %d with liars; after the first lie %d events decided each, %d at least, and in %d seeds %d or more; history %016x%n",
        count,
        first,
        large,
        lying,
        decided / Math.max(1, lying),
        least,
        enough,
        HashgraphSimulation.ENOUGH_DECIDED,
        history);
    out.printf("  the tables were evaluated %d times%n", evaluations);
    for (RareState state : RareState.values()) {
      out.printf("  in %6d seeds %s%n", states.getOrDefault(state, 0), state);
    }
    failures.forEach((rule, n) -> out.printf("FAILED %d x %s%n", n, rule));
    return !failures.isEmpty();
  }
}
