package io.kairos.engine.schedule.port;

import io.kairos.domain.schedule.fire.LastRun;
import io.kairos.domain.schedule.fire.LedgerEntry;
import io.kairos.domain.schedule.fire.Schedule;
import io.kairos.domain.task.QueueId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A schedule that is to be decided, locked, and what the decision depends on.
 *
 * @param calendars that its rule names
 * @param queue the number of its target's queue; null when that is a topic
 * @param unfinished its tasks that have not ended, counted to {@value #MOST_COUNTED}
 * @param lastRun how the last run that it fired has ended; null when it has not, or when that is no
 *     longer known
 * @param ofRequest what the ledger has of the request already
 */
public record Due(
    Schedule schedule,
    List<StoredCalendar> calendars,
    @Nullable QueueId queue,
    int unfinished,
    @Nullable LastRun lastRun,
    List<LedgerEntry> ofRequest) {
  /** No policy asks for more than two. */
  public static final int MOST_COUNTED = 100;

  public Due {
    calendars = List.copyOf(calendars);
    ofRequest = List.copyOf(ofRequest);
  }
}
