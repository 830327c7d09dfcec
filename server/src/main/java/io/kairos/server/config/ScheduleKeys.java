package io.kairos.server.config;

import io.kairos.engine.schedule.ScheduleConfig;
import java.time.Duration;
import java.util.Optional;

/** Reads the engine's settings of schedules. */
public final class ScheduleKeys {
  private static final int BATCH_MOST = 10_000;

  private ScheduleKeys() {}

  /**
   * Asks for every key below {@code schedules}.
   *
   * @return empty when there are problems, which the settings know
   */
  public static Optional<ScheduleConfig> read(Settings settings) {
    ScheduleConfig defaults = ScheduleConfig.DEFAULT;
    Duration pollInterval =
        settings.value(
            "schedules.poll-interval",
            Kind.DURATION,
            defaults.pollInterval(),
            "How often the store is asked when the next schedule is due; a change that another node"
                + " made is heard of after this at most.");
    int maxBatch =
        settings.value(
            "schedules.max-batch",
            Kind.number(1, BATCH_MOST),
            defaults.maxBatch(),
            "Most schedules that are decided in one transaction.");
    Duration ledgerRetention =
        settings.value(
            "schedules.ledger-retention",
            Kind.DURATION,
            defaults.ledgerRetention(),
            "How long decisions on fire times are remembered.");
    return settings.build(() -> new ScheduleConfig(pollInterval, maxBatch, ledgerRetention));
  }
}
