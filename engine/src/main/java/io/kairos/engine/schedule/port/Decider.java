package io.kairos.engine.schedule.port;

import io.kairos.domain.schedule.fire.ScheduleName;
import java.time.Instant;
import java.util.List;

/** Decides what is due. Called within the store's transaction: quick, and without calls to it. */
@FunctionalInterface
public interface Decider {
  /**
   * Says what is to be written.
   *
   * @param now the store's clock
   * @return for each schedule what is to be written, in order; a schedule without a deed is left as
   *     it is
   */
  List<Deed> decide(List<Due> due, Instant now);

  /** A schedule that is due cannot be read, and has been put off. */
  default void unreadable(ScheduleName schedule, RuntimeException why) {}
}
