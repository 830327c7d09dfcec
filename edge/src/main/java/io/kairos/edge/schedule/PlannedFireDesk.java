package io.kairos.edge.schedule;

import static io.kairos.edge.refusal.InvalidField.require;
import static io.kairos.edge.task.RequestFields.instant;

import io.kairos.api.v1.Access.Kind;
import io.kairos.api.v1.ListPlannedFiresRequest;
import io.kairos.api.v1.ListPlannedFiresResponse;
import io.kairos.domain.schedule.TimeRule;
import io.kairos.domain.schedule.calendar.CalendarName;
import io.kairos.domain.schedule.calendar.WorkingCalendar;
import io.kairos.domain.schedule.definition.FiringStatus;
import io.kairos.domain.schedule.definition.Schedule;
import io.kairos.domain.schedule.definition.ScheduleName;
import io.kairos.domain.schedule.definition.ScheduleProgress;
import io.kairos.domain.time.EpochMicros;
import io.kairos.edge.caller.CallerScope;
import io.kairos.edge.refusal.Refusals;
import io.kairos.engine.schedule.ScheduleEdge;
import io.kairos.engine.schedule.port.ScheduleFilter;
import io.kairos.engine.schedule.port.ScheduleListing;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Lists and counts the planned fire times of all schedules. Blocks on the store.
 *
 * @param room a permit for each call that may run at a time
 */
record PlannedFireDesk(ScheduleEdge edge, Semaphore room) {
  /** Schedules per read of the store; each comes with its headers, which are not kept. */
  private static final int READ_AT_ONCE = 50;

  private static final int MOST_SCHEDULES = 5_000;

  private static final int DEFAULT_LISTED = 100;
  private static final int MOST_LISTED = 1_000;
  private static final Duration LONGEST = Duration.ofDays(31);
  private static final Duration DEFAULT_LENGTH = Duration.ofDays(1);
  private static final Instant LAST = EpochMicros.toInstant(EpochMicros.MAX);

  /**
   * A question, of which equal ones have one answer.
   *
   * @param scope the names that the caller may use
   */
  record Question(ListPlannedFiresRequest request, CallerScope scope) {}

  ListPlannedFiresResponse list(Question question) {
    ListPlannedFiresRequest request = question.request();
    int listed = request.hasCount() ? request.getCount() : DEFAULT_LISTED;
    require(listed >= 0 && listed <= MOST_LISTED, "count", "must be 0 to 1,000");
    String prefix = StoredSchedules.prefix(request.getPrefix());
    Instant from =
        request.hasNotBefore() ? instant("not_before", request.getNotBefore()) : edge.now();
    Instant to =
        request.hasBefore() ? instant("before", request.getBefore()) : from.plus(DEFAULT_LENGTH);
    require(to.isAfter(from), "before", "must be after not_before, which is now when left out");
    require(!to.isAfter(from.plus(LONGEST)), "before", "must be at most 31 days after not_before");
    if (!room.tryAcquire()) {
      throw Refusals.tooMuch(
          "the node is counting planned fire times for as many calls as it may; nothing has been done:"
              + " ask again");
    }
    try {
      Instant end = to.isAfter(LAST) ? LAST : to;
      return plan(prefix, question.scope(), from, end).answer(listed);
    } finally {
      room.release();
    }
  }

  private PlannedFires plan(String prefix, CallerScope scope, Instant from, Instant to) {
    PlannedFires plan = new PlannedFires(from, to);
    Map<CalendarName, WorkingCalendar> calendars = new HashMap<>();
    @Nullable ScheduleName after = null;
    int added = 0;
    if (scope.closes(Kind.SCHEDULE)) {
      return plan;
    }
    while (true) {
      ScheduleListing listing =
          edge.list(
              new ScheduleFilter(
                  prefix,
                  scope.ofSchedules(),
                  after,
                  Set.of(FiringStatus.ACTIVE),
                  null,
                  READ_AT_ONCE));
      List<Schedule> page = listing.schedules();
      learn(page, calendars);
      for (Schedule schedule : page) {
        after = schedule.name();
        if (added == MOST_SCHEDULES) {
          plan.leaveOut();
          return plan;
        }
        added++;
        plan.add(after.value(), times(schedule, calendars, from, to), left(schedule));
      }
      if (listing.lookedTo() != null) {
        plan.leaveOut();
        return plan;
      }
      if (page.size() < READ_AT_ONCE) {
        return plan;
      }
    }
  }

  /** Reads the calendars of schedules that are not known yet. */
  private void learn(List<Schedule> schedules, Map<CalendarName, WorkingCalendar> known) {
    Set<CalendarName> unknown =
        schedules.stream()
            .flatMap(one -> one.definition().rule().calendarNames().stream())
            .filter(name -> !known.containsKey(name))
            .collect(Collectors.toSet());
    if (!unknown.isEmpty()) {
      known.putAll(edge.calendars(unknown));
    }
  }

  private static long left(Schedule schedule) {
    Long maxRuns = schedule.definition().bounds().maxRuns();
    return maxRuns == null ? Long.MAX_VALUE : Math.max(0, maxRuns - schedule.progress().runs());
  }

  /** None for a schedule whose rule or calendars cannot be read any more: it does not fire. */
  private static Iterator<Instant> times(
      Schedule schedule, Map<CalendarName, WorkingCalendar> calendars, Instant from, Instant to) {
    Optional<TimeRule> rule = StoredSchedules.rule(schedule);
    if (rule.isEmpty() || !calendars.keySet().containsAll(rule.get().terms().calendarNames())) {
      return List.<Instant>of().iterator();
    }
    ScheduleProgress progress = schedule.progress();
    if (!rule.get().isPlanned()) {
      return Optional.ofNullable(progress.nextAt())
          .filter(next -> !next.isBefore(from) && next.isBefore(to))
          .stream()
          .iterator();
    }
    Instant before = from.minusNanos(1);
    Instant after = progress.decidedTo().isAfter(before) ? progress.decidedTo() : before;
    return rule.get().fireTimes(calendars).fires(after, to.minusNanos(1));
  }
}
