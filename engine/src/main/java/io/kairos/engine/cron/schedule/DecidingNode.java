package io.kairos.engine.cron.schedule;

import io.kairos.domain.schedule.definition.ScheduleName;
import io.kairos.engine.cron.entry.BookCommand.ScheduleTime;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The calls to a node about schedules whose decider is a replicated cron. Methods do not block. The
 * callback is called once, on any thread, with an empty value when the node could not be reached or
 * did not answer. Times are rounded up to whole milliseconds.
 */
public interface DecidingNode {
  /** Most schedules in one call: the bound of DecideDue. */
  int MOST_DECIDED = 1_000;

  /**
   * Asks the node to decide schedules, and passes on when each is due next. That time is not after
   * {@code upTo} for a schedule that is not yet decided completely, and null for a schedule that a
   * replicated cron does not decide any more.
   *
   * @param upTo the present agreed time
   */
  void decide(
      List<ScheduleName> schedules, Instant upTo, Consumer<Optional<List<ScheduleTime>>> answered);

  /**
   * Lists the schedules that have a next due time, by name.
   *
   * @param token of the previous page; empty for the first
   */
  void list(String token, Consumer<Optional<Page>> answered);

  /**
   * A page of schedules.
   *
   * @param next token of the next page; empty on the last one
   */
  record Page(List<ScheduleTime> schedules, String next) {
    public Page {
      schedules = List.copyOf(schedules);
    }
  }
}
