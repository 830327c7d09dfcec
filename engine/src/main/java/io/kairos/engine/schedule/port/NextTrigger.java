package io.kairos.engine.schedule.port;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The time of the next decision on any schedule.
 *
 * @param now the store's time
 * @param nextAt the time of the earliest decision, which may have passed; null for none
 */
public record NextTrigger(Instant now, @Nullable Instant nextAt) {
  /** Time until the next decision, zero when it is due; empty for none. */
  public Optional<Duration> untilNext() {
    return Optional.ofNullable(nextAt)
        .map(at -> at.isAfter(now) ? Duration.between(now, at) : Duration.ZERO);
  }
}
