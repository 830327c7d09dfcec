package io.kairos.engine.schedule.port;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * When there is something to decide.
 *
 * @param now the store's clock
 * @param nextAt when the first schedule wants to be looked at, which may have passed; null while
 *     none will
 */
public record Agenda(Instant now, @Nullable Instant nextAt) {
  /** How long until then, zero when it has come. */
  public Optional<Duration> untilNext() {
    return Optional.ofNullable(nextAt)
        .map(at -> at.isAfter(now) ? Duration.between(now, at) : Duration.ZERO);
  }
}
