package io.kairos.simulator.kernel;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * The complete history of one simulation, by which the rules are checked. A subclass adds the
 * history of the simulated work.
 */
public class SimulationHistory {
  private static final int LINES_KEPT = 40_000;
  private static final long FNV_OFFSET = 0xcbf29ce484222325L;
  private static final long FNV_PRIME = 0x100000001b3L;

  private final Kernel kernel;
  private final boolean keepsLines;
  private final Deque<String> lines = new ArrayDeque<>();
  private final EnumMap<RareState, Integer> rareStates = new EnumMap<>(RareState.class);
  private long digest = FNV_OFFSET;

  public SimulationHistory(Kernel kernel, boolean keepsLines) {
    this.kernel = kernel;
    this.keepsLines = keepsLines;
  }

  public final long nowNanos() {
    return kernel.nowNanos();
  }

  /** Notes an event for the digest and, when a seed is replayed, for the reader. */
  public final void note(long fact, Supplier<String> line) {
    digest = (digest ^ fact) * FNV_PRIME;
    digest = (digest ^ kernel.nowNanos()) * FNV_PRIME;
    if (keepsLines) {
      if (lines.size() == LINES_KEPT) {
        lines.removeFirst();
      }
      lines.add("%12.3f ms  %s".formatted(kernel.nowNanos() / 1e6, line.get()));
    }
  }

  /** Equal for equal histories. A replay with another digest is not a replay. */
  public final long digest() {
    return digest;
  }

  public final List<String> lines() {
    return List.copyOf(lines);
  }

  public final void reached(RareState state) {
    rareStates.merge(state, 1, Integer::sum);
  }

  /** Counts a rare state if it was reached. */
  public final void reached(RareState state, boolean isReached) {
    if (isReached) {
      reached(state);
    }
  }

  public final Map<RareState, Integer> rareStates() {
    return rareStates;
  }

  public final void check(boolean holds, String rule, Supplier<String> otherwise) {
    if (!holds) {
      RuleViolation broken = new RuleViolation(rule, otherwise.get());
      kernel.fail(broken); // at once: on its way up through a node it would look like that one's
      throw broken;
    }
  }

  public final String millis(long micros) {
    return (micros - VirtualClock.EPOCH_MICROS) / 1_000 + " ms";
  }
}
