package io.kairos.engine.schedule;

import io.kairos.domain.schedule.calendar.BusinessCalendar;
import io.kairos.domain.schedule.calendar.CalendarName;
import io.kairos.domain.schedule.fire.Definition;
import io.kairos.domain.schedule.fire.LedgerEntry;
import io.kairos.domain.schedule.fire.OverlapPolicy;
import io.kairos.domain.schedule.fire.Schedule;
import io.kairos.domain.schedule.fire.ScheduleName;
import io.kairos.domain.schedule.fire.Timetable;
import io.kairos.engine.schedule.port.CalendarDeletion;
import io.kairos.engine.schedule.port.LedgerQuery;
import io.kairos.engine.schedule.port.ScheduleQuery;
import io.kairos.engine.schedule.port.Standing;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a node offers of schedules to its edges. Thread-safe; asks the store on the caller's thread
 * and throws {@link io.kairos.engine.node.StoreUnavailable} when it does not answer.
 *
 * <p>Whatever takes a definition or a name of calendars may also throw {@link
 * io.kairos.domain.schedule.text.RefusedExpressionException}, {@link java.time.DateTimeException}
 * or {@link io.kairos.domain.schedule.calendar.UnknownCalendarException}.
 */
public interface ScheduleEdge {
  /** The store's clock. */
  Instant now();

  ScheduleResult create(ScheduleName name, Definition definition);

  /**
   * Gives a schedule another definition, from now on; what was due is decided by the old one first.
   *
   * @param generation that it must have; null for any
   */
  ScheduleResult update(ScheduleName name, @Nullable Long generation, Definition definition);

  ScheduleResult pause(ScheduleName name, String note);

  ScheduleResult resume(ScheduleName name);

  /**
   * Its unfinished tasks go on, its ledger stays until it is pruned. One that cannot be read is
   * removed with what was due undecided.
   *
   * @return whether there was one
   */
  boolean delete(ScheduleName name);

  /** A fresh id of a request, for callers that give none: they cannot repeat it. */
  String newRequest();

  /**
   * Runs it now, paused or not.
   *
   * @param request an id of the caller's choice: the same id runs once
   * @param overlap instead of the schedule's own policy; null for that
   */
  RunResult trigger(ScheduleName name, String request, @Nullable OverlapPolicy overlap);

  /**
   * Runs the fire times in [{@code from}, {@code to}], which have passed, whatever was decided of
   * them before; due now.
   *
   * @param request an id of the caller's choice: the same id runs once
   * @param overlap null to allow all when the schedule does, else for one after the other; runs of
   *     a schedule that skips or allows all take no turns, and what is going on is not waited for
   */
  RunResult backfill(
      ScheduleName name, Instant from, Instant to, String request, @Nullable OverlapPolicy overlap);

  /**
   * Decides those of these schedules that a replicated cron decides and whose time has come, as a
   * node decides its own, but by agreed time instead of the store's clock. One call is one batch:
   * what was too much for it, or is just being changed, still has its {@code nextAt} not after
   * {@code upTo}, and is to be asked for again.
   *
   * @param upTo agreed time, the present one: by it is judged what was missed; exact to the
   *     microsecond. What would be decided more than half a second ahead of the store's clock is
   *     not, and the call throws {@link io.kairos.engine.node.StoreUnavailable}
   * @return of these schedules those that there are; one that nodes decide is left alone
   */
  List<Standing> decideDue(Collection<ScheduleName> names, Instant upTo);

  Optional<Schedule> find(ScheduleName name);

  List<Schedule> list(ScheduleQuery query);

  /** Decisions, the latest fire time first. */
  List<LedgerEntry> fires(LedgerQuery query);

  /** When a definition would fire, stored or not. */
  Timetable timetable(ScheduleName name, Definition definition, Instant createdAt);

  /** Those of these names that there are. */
  Map<CalendarName, BusinessCalendar> calendars(Collection<CalendarName> names);

  /**
   * Stores a calendar; schedules that name it go by it at once.
   *
   * @param generation that it must have; 0 for a new one; null for any
   * @return empty when it has another generation
   */
  Optional<Calendar> putCalendar(
      CalendarName name, BusinessCalendar calendar, @Nullable Long generation);

  Optional<Calendar> findCalendar(CalendarName name);

  /**
   * By name.
   *
   * @param after only those that follow; null for the first
   */
  List<Calendar> listCalendars(@Nullable CalendarName after, int limit);

  CalendarDeletion deleteCalendar(CalendarName name);

  /**
   * A calendar that schedules share.
   *
   * @param generation raised by every change
   */
  record Calendar(CalendarName name, BusinessCalendar calendar, long generation) {}
}
