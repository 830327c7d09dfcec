package io.kairos.simulator.kernel;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The result of a seed.
 *
 * @param broken the first rule that was broken, if any
 * @param digest equal for equal histories
 * @param events how many events were simulated
 * @param lines the last lines of the history, if they were kept
 */
public record SimulationOutcome(
    long seed,
    Optional<Throwable> broken,
    Map<RareState, Integer> rareStates,
    long digest,
    long events,
    List<String> lines) {
  /** Describes a failure: the rule, the seed, and how to replay it. */
  public String report() {
    return "seed %d: %s\nreplay with -Dsim.seed=%d%s"
        .formatted(
            seed,
            broken.map(Throwable::getMessage).orElse("nothing broken"),
            seed,
            lines.isEmpty() ? "" : "\n" + String.join("\n", lines));
  }
}
