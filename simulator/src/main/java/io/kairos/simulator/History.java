package io.kairos.simulator;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * What happened in one simulation, as an onlooker who sees everything writes it, and where rules
 * are held against it. What there is to know of the simulated work is added by its kind.
 */
class History {
  private static final int LINES_KEPT = 40_000;
  private static final long FNV_OFFSET = 0xcbf29ce484222325L;
  private static final long FNV_PRIME = 0x100000001b3L;

  private final Kernel kernel;
  private final boolean keepsLines;
  private final Deque<String> lines = new ArrayDeque<>();
  private final EnumMap<RareState, Integer> rareStates = new EnumMap<>(RareState.class);
  private long digest = FNV_OFFSET;

  History(Kernel kernel, boolean keepsLines) {
    this.kernel = kernel;
    this.keepsLines = keepsLines;
  }

  final long nowNanos() {
    return kernel.nowNanos();
  }

  /** Notes an event for the digest and, when a seed is replayed, for the reader. */
  final void note(long fact, Supplier<String> line) {
    digest = (digest ^ fact) * FNV_PRIME;
    digest = (digest ^ kernel.nowNanos()) * FNV_PRIME;
    if (keepsLines) {
      if (lines.size() == LINES_KEPT) {
        lines.removeFirst();
      }
      lines.add("%12.3f ms  %s".formatted(kernel.nowNanos() / 1e6, line.get()));
    }
  }

  /** Equal for equal histories: a replay that differs was no replay. */
  final long digest() {
    return digest;
  }

  final List<String> lines() {
    return List.copyOf(lines);
  }

  final void reached(RareState state) {
    rareStates.merge(state, 1, Integer::sum);
  }

  final Map<RareState, Integer> rareStates() {
    return rareStates;
  }

  final void check(boolean holds, String rule, Supplier<String> otherwise) {
    if (!holds) {
      RuleBroken broken = new RuleBroken(rule, otherwise.get());
      kernel.fail(broken); // at once: on its way up through a node it would look like that one's
      throw broken;
    }
  }

  final String millis(long micros) {
    return (micros - SimClock.EPOCH_MICROS) / 1_000 + " ms";
  }
}
