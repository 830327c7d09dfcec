package io.kairos.model.schedule;

import io.kairos.domain.schedule.definition.Schedule;
import io.kairos.domain.schedule.fire.LedgerEntry;
import io.kairos.engine.schedule.port.StoredCalendar;
import java.time.Instant;
import java.util.List;

/**
 * Observes every decision that a {@link ModelScheduleStore} stores. Checkers judge by it. Called
 * within the change, when the runs are stored; must not call the store.
 */
public interface ScheduleStoreObserver {
  ScheduleStoreObserver NONE = new ScheduleStoreObserver() {};

  default void created(Schedule schedule) {}

  /**
   * A schedule was decided or changed.
   *
   * @param after as it is from then on, or was when it was removed
   * @param fresh what is new in the ledger
   * @param now the store's clock
   */
  default void decided(Schedule before, Schedule after, List<LedgerEntry> fresh, Instant now) {}

  /**
   * A schedule is to be looked at anew, because a calendar that it names has changed or the rules
   * of time zones have; undecided.
   */
  default void woken(Schedule before, Schedule after, Instant now) {}

  /** A calendar is stored; told after the schedules that name it are {@linkplain #woken woken}. */
  default void stored(StoredCalendar calendar) {}
}
