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
 * @param stepQueues the numbers of the queues of its steps, in their order
 * @param unfinished number of its runs with unfinished tasks, counted up to {@value #MOST_COUNTED};
 *     of one with steps {@value #MOST_TASKS_COUNTED} tasks stand for as many
 * @param lastRun how its last run ended; null when a task of the run has not ended, or when the run
 *     is no longer stored
 * @param ofRequest ledger entries of the present request
 */
public record DueSchedule(
    Schedule schedule,
    List<StoredCalendar> calendars,
    @Nullable QueueId queue,
    List<QueueId> stepQueues,
    int unfinished,
    @Nullable LastRun lastRun,
    List<LedgerEntry> ofRequest) {
  /** Stands for this number of unfinished runs or more; no policy asks for more. */
  public static final int MOST_COUNTED = 100;

  /** So many unfinished tasks of runs with steps stand for as many runs as are counted. */
  public static final int MOST_TASKS_COUNTED = 1_100;

  /** Makes a schedule without steps. */
  public DueSchedule(
      Schedule schedule,
      List<StoredCalendar> calendars,
      @Nullable QueueId queue,
      int unfinished,
      @Nullable LastRun lastRun,
      List<LedgerEntry> ofRequest) {
    this(schedule, calendars, queue, List.of(), unfinished, lastRun, ofRequest);
  }

  public DueSchedule {
    stepQueues = List.copyOf(stepQueues);
    calendars = List.copyOf(calendars);
    ofRequest = List.copyOf(ofRequest);
  }
}
