package io.kairos.engine.schedule.port;

import java.time.Instant;
import java.util.Optional;

/** Decides how one schedule is to change; called like {@link Decider}. */
@FunctionalInterface
public interface Change {
  /**
   * Says what is to be written.
   *
   * @param now the store's clock
   * @return empty to leave it as it is
   */
  Optional<Deed> decide(Due due, Instant now);
}
