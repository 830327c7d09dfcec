package io.kairos.engine.schedule;

import io.kairos.domain.schedule.calendar.CalendarName;
import io.kairos.domain.schedule.calendar.WorkingCalendar;
import io.kairos.domain.schedule.definition.OverlapPolicy;
import io.kairos.domain.schedule.definition.Schedule;
import io.kairos.domain.schedule.definition.ScheduleDefinition;
import io.kairos.domain.schedule.definition.ScheduleId;
import io.kairos.domain.schedule.definition.ScheduleName;
import io.kairos.domain.schedule.fire.LedgerEntry;
import io.kairos.domain.schedule.fire.Timetable;
import io.kairos.engine.schedule.port.CalendarDeletion;
import io.kairos.engine.schedule.port.LedgerQuery;
import io.kairos.engine.schedule.port.NextDecision;
import io.kairos.engine.schedule.port.ScheduleFilter;
import io.kairos.engine.schedule.port.ScheduleListing;
import io.kairos.engine.schedule.port.StoredCalendar;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A node's schedule calls for its edges. Thread-safe. Every call asks the store on the caller's
 * thread and throws {@link io.kairos.engine.node.StoreUnavailable} when the store does not answer.
 *
 * <p>Methods with a definition or names of calendars may also throw {@link
 * io.kairos.domain.schedule.text.RefusedExpressionException}, {@link java.time.DateTimeException}
 * or {@link io.kairos.domain.schedule.calendar.UnknownCalendarException}.
 */
public interface ScheduleEdge {
  /** The store's clock. */
  Instant now();

  ScheduleResult create(ScheduleName name, ScheduleDefinition definition);

  /**
   * Changes the definition of a schedule from now on. Fire times that are due are decided by the
   * old definition first.
   *
   * @param generation the generation that the schedule must have; null for any
   */
  ScheduleResult update(
      ScheduleName name, @Nullable Long generation, ScheduleDefinition definition);

  ScheduleResult pause(ScheduleName name, String note);

  ScheduleResult resume(ScheduleName name);

  /**
   * Removes a schedule. Its unfinished tasks go on, and its ledger stays until it is pruned. Due
   * fire times of a schedule that cannot be read stay undecided.
   *
   * @return true when the schedule existed
   */
  boolean delete(ScheduleName name);

  /** A new request id, for callers that give none and therefore cannot repeat the request. */
  String newRequest();

  /**
   * Runs a schedule now, even when it is paused.
   *
   * @param request an id of the caller's choice; requests with one id run once
   * @param overlap null for the schedule's own policy
   */
  RunResult trigger(ScheduleName name, String request, @Nullable OverlapPolicy overlap);

  /**
   * Runs the past fire times in [{@code from}, {@code to}] now, regardless of earlier decisions on
   * them.
   *
   * @param request an id of the caller's choice; requests with one id run once
   * @param overlap overlap policy of these runs. Null means {@code ALLOW_ALL} if the schedule has
   *     that policy, otherwise {@code BUFFER_ALL}: one run after the other. The backfill does not
   *     wait for runs that the schedule itself started under {@code ALLOW_ALL}
   */
  RunResult backfill(
      ScheduleName name, Instant from, Instant to, String request, @Nullable OverlapPolicy overlap);

  /**
   * Decides the due schedules among these that a replicated cron decides, by agreed time instead of
   * the store's clock. One call is one batch: schedules beyond the batch, or locked by another
   * transaction, still have a {@code nextAt} not after {@code upTo}, and the caller must ask for
   * them again.
   *
   * @param upTo present agreed time, exact to the microsecond, which also decides what was missed;
   *     the call throws {@link io.kairos.engine.node.StoreUnavailable} when it is more than half a
   *     second ahead of the store's clock
   * @return the schedules among these that exist; those that nodes decide are unchanged
   */
  List<NextDecision> decideDue(Collection<ScheduleName> names, Instant upTo);

  Optional<Schedule> find(ScheduleName name);

  /** Lists schedules, without payloads. */
  ScheduleListing list(ScheduleFilter query);

  /** The name of a schedule; empty when there is none with this id. */
  Optional<ScheduleName> nameOf(ScheduleId id);

  /** Lists decisions, the latest fire time first. */
  List<LedgerEntry> fires(LedgerQuery query);

  /** The fire times of a definition, which need not be stored. */
  Timetable timetable(ScheduleName name, ScheduleDefinition definition, Instant createdAt);

  /** The calendars among these that exist, by name. */
  Map<CalendarName, WorkingCalendar> calendars(Collection<CalendarName> names);

  /**
   * Stores a calendar, which applies at once to the schedules that name it.
   *
   * @param generation the generation that the stored calendar must have; 0 for a new one; null for
   *     any
   * @return empty when the stored calendar has another generation
   */
  Optional<StoredCalendar> putCalendar(
      CalendarName name, WorkingCalendar calendar, @Nullable Long generation);

  Optional<StoredCalendar> findCalendar(CalendarName name);

  /**
   * Lists calendars in the order of names.
   *
   * @param after lists only names that follow; null for the first
   */
  List<StoredCalendar> listCalendars(@Nullable CalendarName after, int limit);

  CalendarDeletion deleteCalendar(CalendarName name);
}
