package io.kairos.engine.cron.entry;

import static io.kairos.domain.check.ArgumentCheck.isWholeMillis;
import static io.kairos.domain.check.ArgumentCheck.require;
import static java.util.Objects.requireNonNull;

import io.kairos.domain.cron.ComponentId;
import java.time.Duration;

/**
 * A table and the tick period of its component.
 *
 * @param tick whole milliseconds up to 24 hours; zero for no ticks
 */
public record TableSettings(ComponentId component, Duration tick) {
  public static final Duration DEFAULT_TICK = Duration.ofSeconds(1);
  private static final Duration LONGEST = Duration.ofDays(1);

  /** Throws {@link IllegalArgumentException} for a period out of range. */
  public TableSettings {
    requireNonNull(component, "component");
    require(
        isWholeMillis(tick, Duration.ZERO, LONGEST),
        "ticks come every 1 ms to 24 hours, in whole milliseconds, or not at all with 0, and not every ",
        tick);
  }

  /** A table that ticks every {@link #DEFAULT_TICK}. */
  public TableSettings(ComponentId component) {
    this(component, DEFAULT_TICK);
  }
}
