package io.kairos.engine.schedule;

import java.time.Duration;

/**
 * How a node fires schedules.
 *
 * @param pollInterval how often the store is asked when the next schedule is due; how late a change
 *     that another node made is heard of at most
 * @param maxBatch how many schedules are decided in one transaction
 * @param ledgerRetention how long decisions on fire times are remembered
 */
public record ScheduleConfig(Duration pollInterval, int maxBatch, Duration ledgerRetention) {
  /** What is shipped. */
  public static final ScheduleConfig DEFAULT =
      new ScheduleConfig(Duration.ofSeconds(1), 1_000, Duration.ofDays(90));

  /** Throws {@link IllegalArgumentException} that names the property and the rule. */
  public ScheduleConfig {
    require(
        pollInterval.isPositive() && pollInterval.compareTo(Duration.ofMinutes(1)) <= 0,
        "schedules.poll-interval must be positive and at most a minute");
    require(maxBatch >= 1 && maxBatch <= 10_000, "schedules.max-batch must be between 1 and 10000");
    require(ledgerRetention.isPositive(), "schedules.ledger-retention must be positive");
  }

  private static void require(boolean holds, String rule) {
    if (!holds) {
      throw new IllegalArgumentException(rule);
    }
  }
}
