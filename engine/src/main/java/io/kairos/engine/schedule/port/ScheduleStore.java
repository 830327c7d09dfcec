package io.kairos.engine.schedule.port;

import io.kairos.domain.node.NodeId;
import io.kairos.domain.schedule.calendar.CalendarName;
import io.kairos.domain.schedule.fire.CalendarText;
import io.kairos.domain.schedule.fire.LedgerEntry;
import io.kairos.domain.schedule.fire.Schedule;
import io.kairos.domain.schedule.fire.ScheduleName;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Where schedules and the decisions on their fire times are kept, in one place with the tasks and
 * messages that they make, so that a decision and what follows from it are one transaction. Every
 * method is one atomic step and is durable when it returns; any may throw {@link
 * io.kairos.engine.node.StoreUnavailable}, and then may have taken effect. Thread-safe.
 */
public interface ScheduleStore {
  /** The store's clock, by which fire times come. */
  Instant now();

  /**
   * Has decided what is due: takes the schedules that nodes decide and whose time has come, the
   * longest due first, shows them to the decider and writes what it says. Passes over schedules
   * that another node is just deciding, so any number of nodes share the work, and a node that dies
   * meanwhile has changed nothing. Of a ledger entry that there is already, neither it nor its run
   * is stored again. Tasks that begin on their queue are in the memory of this node with fence 1. A
   * schedule that cannot be read is put off, and the decider told so.
   *
   * @param limit how many at most; fewer when their payloads are large
   */
  Fired fire(NodeId node, int limit, Duration enqueueTimeout, Decider decider);

  /**
   * The same for those of these schedules that a replicated cron decides and whose time has come by
   * {@code upTo}; one that somebody else has locked is passed over here as well.
   */
  Fired fireNamed(
      NodeId node,
      Collection<ScheduleName> names,
      Instant upTo,
      int limit,
      Duration enqueueTimeout,
      Decider decider);

  /** Of these schedules those that there are, in any order. */
  List<Standing> standings(Collection<ScheduleName> names);

  /** When the next of the schedules that nodes decide wants to be looked at. */
  Agenda agenda();

  /** Stores a new schedule. */
  Creation create(Schedule schedule);

  /**
   * Changes one schedule, as {@link #fire} would.
   *
   * @param request the id of the request; what the ledger has of it already is shown to the change;
   *     empty for none
   * @return empty when there is no such schedule
   * @throws UnreadableSchedule when it cannot be read
   */
  Optional<Fired> change(
      NodeId node, ScheduleName name, String request, Duration enqueueTimeout, Change change);

  /**
   * Removes a schedule, whether it can be read or not; nothing is decided.
   *
   * @return whether there was one
   */
  boolean discard(ScheduleName name);

  /** Puts off a schedule whose decision has failed, unless it has been changed or decided since. */
  void putOff(Schedule schedule, Duration delay);

  Optional<Schedule> find(ScheduleName name);

  /**
   * By name.
   *
   * @param unreadable is told of those that cannot be read, which are passed over
   */
  List<Schedule> list(ScheduleQuery query, BiConsumer<ScheduleName, RuntimeException> unreadable);

  /** Decisions on a schedule's fire times, the latest fire time first. */
  List<LedgerEntry> fires(LedgerQuery query);

  /**
   * Forgets decisions on fire times that lie longer ago than this, the longest ago first.
   *
   * @return how many, at most {@code limit}
   */
  int pruneLedger(Duration retention, int limit);

  /**
   * Stores a calendar. Schedules that name it are looked at again at once.
   *
   * @param generation that it must have; 0 for a new one; null for any
   * @return empty when it has another generation
   */
  Optional<StoredCalendar> putCalendar(
      CalendarName name, CalendarText text, @Nullable Long generation);

  /** Those of these names that there are. */
  List<StoredCalendar> calendars(Collection<CalendarName> names);

  /**
   * By name.
   *
   * @param after only those that follow; null for the first
   */
  List<StoredCalendar> listCalendars(@Nullable CalendarName after, int limit);

  CalendarDeletion deleteCalendar(CalendarName name);

  /**
   * Has schedules looked at again that were decided by other rules of time zones than these. For
   * one that a node with others decides meanwhile it is to be asked again: by each node that
   * begins, so that the last one with the new rules finds what the last one with the old has left.
   *
   * @return whether there were any
   */
  boolean rezone(String timeZoneRules);
}
