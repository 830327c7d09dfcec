package io.kairos.simulator.replica;

import java.util.IntSummaryStatistics;
import java.util.List;

/**
 * The number of ticks per round.
 *
 * @param ticks of all rounds
 * @param fewest ticks of a round
 * @param most ticks of a round
 */
public record RoundTicks(int rounds, int ticks, int fewest, int most) {
  /** Throws {@link IllegalArgumentException} for no round at all. */
  public static RoundTicks of(List<Integer> ticksOfEach) {
    if (ticksOfEach.isEmpty()) {
      throw new IllegalArgumentException("no round has begun");
    }
    IntSummaryStatistics each =
        ticksOfEach.stream().mapToInt(Integer::intValue).summaryStatistics();
    return new RoundTicks(ticksOfEach.size(), (int) each.getSum(), each.getMin(), each.getMax());
  }

  /** Mean number of ticks of a round. */
  public double mean() {
    return (double) ticks / rounds;
  }
}
