package io.kairos.engine.schedule.port;

import io.kairos.domain.node.NodeId;
import io.kairos.domain.schedule.calendar.CalendarName;
import io.kairos.domain.schedule.calendar.CalendarText;
import io.kairos.domain.schedule.definition.Schedule;
import io.kairos.domain.schedule.definition.ScheduleId;
import io.kairos.domain.schedule.definition.ScheduleName;
import io.kairos.domain.schedule.fire.LedgerEntry;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Stores schedules and the decisions on their fire times, in one database with the tasks and
 * messages that they make, so that a decision and its runs are one transaction. Every method is
 * atomic, and durable when it returns. Every method may throw {@link
 * io.kairos.engine.node.StoreUnavailable} and may then have taken effect. Thread-safe.
 */
public interface ScheduleStore {
  /** The store's time, which decides what is due. */
  Instant now();

  /**
   * Passes due schedules that nodes decide to the decider, the longest due first, and writes its
   * decisions. Skips schedules that another node is deciding, so that any number of nodes share the
   * work; a node that dies meanwhile has changed nothing. A ledger entry that exists is not stored
   * again, and neither is its run. Tasks stored as enqueued have fence 1. A schedule that cannot be
   * read is put off and reported to the decider.
   *
   * @param limit most schedules; fewer are taken when their payloads are large
   */
  FireReceipt fire(NodeId node, int limit, Duration enqueueTimeout, DueDecider decider);

  /**
   * Works like {@link #fire} for the schedules among those named that a replicated cron decides and
   * that are due by its time.
   */
  FireReceipt fireNamed(
      NodeId node, NamedFiring which, Duration enqueueTimeout, DueDecider decider);

  /** The deciders and next decisions of the schedules among these that exist, in any order. */
  List<NextDecision> nextDecisions(Collection<ScheduleName> names);

  /** The time of the next decision on the schedules that nodes decide. */
  NextTrigger agenda();

  /** Stores a new schedule. */
  CreationResult create(Schedule schedule);

  /**
   * Changes one schedule, as {@link #fire} would.
   *
   * @param request the id of the request, whose ledger entries are passed to the change; empty for
   *     none
   * @return empty when there is no such schedule
   * @throws UnreadableSchedule when the schedule cannot be read
   */
  Optional<FireReceipt> change(
      NodeId node,
      ScheduleName name,
      String request,
      Duration enqueueTimeout,
      ScheduleChange change);

  /**
   * Removes a schedule without deciding it, even when it cannot be read.
   *
   * @return true when the schedule existed
   */
  boolean discard(ScheduleName name);

  /** Puts off a schedule whose decision has failed, unless it has been changed or decided since. */
  void putOff(Schedule schedule, Duration delay);

  Optional<Schedule> find(ScheduleName name);

  /** The name of a schedule; empty when there is none with this id. */
  Optional<ScheduleName> nameOf(ScheduleId id);

  /**
   * Lists schedules in the order of names, without payloads. Passes over a bounded number of
   * others.
   *
   * @param unreadable receives the schedules that cannot be read, which are skipped
   */
  ScheduleListing list(ScheduleFilter query, BiConsumer<ScheduleName, RuntimeException> unreadable);

  /** Decisions on a schedule's fire times, the latest fire time first. */
  List<LedgerEntry> fires(LedgerQuery query);

  /**
   * Deletes decisions on fire times longer ago than {@code retention}, the oldest first.
   *
   * @return the number of deleted decisions, at most {@code limit}
   */
  int pruneLedger(Duration retention, int limit);

  /**
   * Stores a calendar. Schedules that name it are decided again at once.
   *
   * @param generation the generation that the stored calendar must have; 0 for a new one; null for
   *     any
   * @return empty when the stored calendar has another generation
   */
  Optional<StoredCalendar> putCalendar(
      CalendarName name, CalendarText text, @Nullable Long generation);

  /** The calendars among these that exist. */
  List<StoredCalendar> calendars(Collection<CalendarName> names);

  /**
   * Lists calendars in the order of names.
   *
   * @param after lists only names that follow; null for the first
   */
  List<StoredCalendar> listCalendars(@Nullable CalendarName after, int limit);

  CalendarDeletion deleteCalendar(CalendarName name);

  /**
   * Has schedules decided again that were decided by other time zone rules than these. Each node
   * calls this when it starts, because a node with other rules may decide a schedule meanwhile: the
   * last node that starts with the new rules then finds that schedule.
   *
   * @return true when there were any
   */
  boolean rezone(String timeZoneRules);
}
