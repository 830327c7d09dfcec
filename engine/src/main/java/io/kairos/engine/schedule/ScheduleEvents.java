package io.kairos.engine.schedule;

import io.kairos.domain.schedule.definition.ScheduleName;
import io.kairos.domain.schedule.fire.LedgerEntry;
import io.kairos.engine.schedule.port.NextTrigger;
import java.time.Duration;
import java.util.List;

/**
 * Listener to a node's schedules, for logs and metrics. Called on the engine's threads; must not
 * block.
 */
public interface ScheduleEvents {
  /** A listener that does nothing. */
  ScheduleEvents NONE = new ScheduleEvents() {};

  /** Decisions are durable. */
  default void decided(List<LedgerEntry> entries) {}

  /** The fire step has asked the store for the next due time. */
  default void looked(NextTrigger agenda) {}

  /** A schedule cannot be read, decided or written; it is put off, and the others go on. */
  default void failed(ScheduleName schedule, RuntimeException why) {}

  /** The store's clock has jumped forward; nothing is fired until the clock is believed. */
  default void clockJumped(Duration by) {}

  /** The store's clock is believed again. */
  default void clockBelieved() {}
}
