package io.kairos.engine.schedule;

import io.kairos.engine.setting.ConfigRecord;
import io.kairos.engine.setting.Setting;
import java.time.Duration;

/** Settings of a node's schedules. */
public record ScheduleConfig(
    @Setting(
            key = "schedules.poll-interval",
            defaultValue = "1s",
            min = "0.001s",
            max = "1m",
            description =
                "How often the store is asked when the next schedule is due; a change that another node made is heard of after this at most.")
        Duration pollInterval,
    @Setting(
            key = "schedules.max-batch",
            defaultValue = "1000",
            min = "1",
            max = "10000",
            description = "Most schedules that are decided in one transaction.")
        int maxBatch,
    @Setting(
            key = "schedules.ledger-retention",
            defaultValue = "90d",
            min = "0.001s",
            description = "How long decisions on fire times are remembered.")
        Duration ledgerRetention) {
  /** All defaults. */
  public static final ScheduleConfig DEFAULT = ConfigRecord.defaults(ScheduleConfig.class);

  /** Throws {@link IllegalArgumentException} that names the key and the rule. */
  public ScheduleConfig {
    ConfigRecord.check(ScheduleConfig.class, pollInterval, maxBatch, ledgerRetention);
  }
}
