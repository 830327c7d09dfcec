package io.kairos.simulator.replica;

import java.util.IntSummaryStatistics;
import java.util.List;

/**
 * How many ticks rounds had in the order.
 *
 * @param ticks of all of them
 * @param fewest of a round
 * @param most of a round
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
