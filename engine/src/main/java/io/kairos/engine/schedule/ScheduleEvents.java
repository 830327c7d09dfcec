package io.kairos.engine.schedule;

import io.kairos.domain.schedule.fire.LedgerEntry;
import io.kairos.domain.schedule.fire.ScheduleName;
import io.kairos.engine.schedule.port.Agenda;
import java.time.Duration;
import java.util.List;

/**
 * What a node does with schedules, for logs and metrics. Called on the engine's threads; must not
 * block.
 */
public interface ScheduleEvents {
  /** Nobody listens. */
  ScheduleEvents NONE = new ScheduleEvents() {};

  /** Decisions are durable. */
  default void decided(List<LedgerEntry> entries) {}

  /** The store was asked when there is something to decide. */
  default void looked(Agenda agenda) {}

  /**
   * A schedule cannot be read, decided or written; it is put off, the others go on (PH-18, PH-19).
   */
  default void failed(ScheduleName schedule, RuntimeException why) {}

  /** The store's clock has jumped forward by so much; nothing is fired until it is believed. */
  default void clockJumped(Duration by) {}

  /** Nothing is held back any more. */
  default void clockBelieved() {}
}
