package io.kairos.engine.schedule.port;

import io.kairos.domain.schedule.definition.Schedule;
import io.kairos.domain.schedule.fire.LastRun;
import io.kairos.domain.schedule.fire.LedgerEntry;
import io.kairos.domain.task.queue.QueueId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A locked schedule to be decided, with the data that the decision depends on.
 *
 * @param calendars the calendars that its rule names
 * @param queue the number of its target's queue; null when the target is a topic
 * @param unfinished number of its unfinished tasks, counted up to {@value #MOST_COUNTED}
 * @param lastRun how its last run ended; null when the run has not ended or is no longer stored
 * @param ofRequest ledger entries of the present request
 */
public record DueSchedule(
    Schedule schedule,
    List<StoredCalendar> calendars,
    @Nullable QueueId queue,
    int unfinished,
    @Nullable LastRun lastRun,
    List<LedgerEntry> ofRequest) {
  /** Stands for this number of unfinished tasks or more; no policy asks for more than two. */
  public static final int MOST_COUNTED = 100;

  public DueSchedule {
    calendars = List.copyOf(calendars);
    ofRequest = List.copyOf(ofRequest);
  }
}
