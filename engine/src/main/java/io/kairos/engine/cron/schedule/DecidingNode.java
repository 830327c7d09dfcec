package io.kairos.engine.cron.schedule;

import io.kairos.domain.schedule.definition.ScheduleName;
import io.kairos.engine.cron.entry.BookCommand.ScheduleTime;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A node, as it is asked about the schedules whose decider is a replicated cron. Does not block;
 * answers once, on any thread, with nothing when it could not be asked or did not say. Times are
 * rounded up to whole milliseconds.
 */
public interface DecidingNode {
  /** So many schedules are decided by one call at most: the bound of DecideDue. */
  int MOST_DECIDED = 1_000;

  /**
   * Has schedules decided, and says when each is due next: not after the given time where not all
   * is decided yet, and without a time where a replicated cron has nothing to decide any more.
   *
   * @param upTo the present agreed time
   */
  void decide(
      List<ScheduleName> schedules, Instant upTo, Consumer<Optional<List<ScheduleTime>>> answered);

  /**
   * Lists the schedules that are due at some time, by name.
   *
   * @param token of the page before; empty for the first
   */
  void list(String token, Consumer<Optional<Page>> answered);

  /**
   * Some schedules.
   *
   * @param next token of the page behind it; empty when there is none
   */
  record Page(List<ScheduleTime> schedules, String next) {
    public Page {
      schedules = List.copyOf(schedules);
    }
  }
}
