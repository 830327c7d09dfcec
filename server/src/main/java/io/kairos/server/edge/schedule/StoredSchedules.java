package io.kairos.server.edge.schedule;

import static io.kairos.server.edge.refusal.InvalidField.require;

import io.kairos.api.v1.Fire;
import io.kairos.api.v1.GetScheduleRequest;
import io.kairos.api.v1.ListSchedulesRequest;
import io.kairos.api.v1.ListSchedulesResponse;
import io.kairos.api.v1.PlannedFire;
import io.kairos.api.v1.Schedule;
import io.kairos.domain.schedule.TimeRule;
import io.kairos.domain.schedule.calendar.BusinessCalendar;
import io.kairos.domain.schedule.calendar.CalendarName;
import io.kairos.domain.schedule.fire.DecidedBy;
import io.kairos.domain.schedule.fire.ScheduleName;
import io.kairos.domain.schedule.fire.Status;
import io.kairos.engine.schedule.ScheduleEdge;
import io.kairos.engine.schedule.port.LedgerQuery;
import io.kairos.engine.schedule.port.ScheduleQuery;
import io.kairos.server.edge.refusal.InvalidField;
import io.kairos.server.edge.refusal.Refusals;
import io.kairos.server.edge.task.Fields;
import io.kairos.server.text.Suggestion;
import java.time.DateTimeException;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Finds the schedules that there are, and shows them. Blocks while the store works. */
record StoredSchedules(ScheduleEdge edge) {
  /** From the store, with their payloads. */
  private static final int READ_AT_ONCE = 50;

  Schedule get(GetScheduleRequest request) {
    io.kairos.domain.schedule.fire.Schedule schedule = find("name", request.getName());
    Schedule.Builder answer = whole(schedule);
    edge.fires(LedgerQuery.latest(schedule.id(), ScheduleAnswers.SHOWN))
        .forEach(entry -> answer.addLastFires(FireAnswers.fire(entry)));
    return answer.build();
  }

  /** Refused, with the nearest name, when there is none. */
  io.kairos.domain.schedule.fire.Schedule find(String field, String given) {
    ScheduleName name = ScheduleRequests.name(field, given);
    return edge.find(name).orElseThrow(() -> unknown(name));
  }

  /** With the nearest of the names around it. */
  RuntimeException unknown(ScheduleName name) {
    int folder = name.value().lastIndexOf('/') + 1;
    String begin = name.value().substring(0, Math.min(name.value().length(), folder + 2));
    List<String> names =
        edge.list(new ScheduleQuery(begin, null, Set.of(), null, READ_AT_ONCE)).stream()
            .map(one -> one.name().value())
            .toList();
    return Refusals.notFound(
        "name: there is no schedule " + name + Suggestion.question(name.value(), names));
  }

  /**
   * What a stored rule means; empty when it cannot be read any more, such as one by a zone that
   * there was (PH-19). It can be shown, changed and deleted all the same.
   */
  static Optional<TimeRule> rule(io.kairos.domain.schedule.fire.Schedule schedule) {
    try {
      return Optional.of(schedule.definition().timeRule(schedule.name(), schedule.createdAt()));
    } catch (IllegalArgumentException | DateTimeException _) {
      return Optional.empty();
    }
  }

  /** Those that a rule names; refused with the nearest name when one is missing. */
  Map<CalendarName, BusinessCalendar> calendars(TimeRule rule) {
    return calendars(rule, Map.of());
  }

  /** With some as they are going to be. */
  Map<CalendarName, BusinessCalendar> calendars(
      TimeRule rule, Map<CalendarName, BusinessCalendar> assumed) {
    List<CalendarName> names = rule.terms().calendarNames();
    Map<CalendarName, BusinessCalendar> found = new HashMap<>(edge.calendars(names));
    found.putAll(assumed);
    for (CalendarName name : names) {
      if (!found.containsKey(name)) {
        throw CalendarDesk.unknown(edge, "schedule.calendars", name);
      }
    }
    return found;
  }

  /** With its payload and the fire times that follow. */
  Schedule.Builder whole(io.kairos.domain.schedule.fire.Schedule schedule) {
    Schedule.Builder answer = ScheduleAnswers.schedule(schedule);
    Optional<TimeRule> rule = rule(schedule);
    if (rule.isEmpty()) {
      return answer.setDescription(Explaining.UNREADABLE).clearNextFireTime();
    }
    List<PlannedFire> fires = ScheduleAnswers.next(schedule, rule.get(), calendars(rule.get()));
    if (rule.get() instanceof TimeRule.Planned) {
      // When it is looked at next may be another time: it was put off, or its calendar changed.
      fires.stream()
          .filter(fire -> fire.getSkipped() == Fire.Reason.REASON_UNSPECIFIED)
          .findFirst()
          .ifPresent(fire -> answer.setNextFireTime(fire.getFireTime()));
    }
    return answer.setDescription(rule.get().describe()).addAllNextFires(fires);
  }

  ListSchedulesResponse list(ListSchedulesRequest request) {
    int size = Fields.pageSize(request.getPageSize());
    require(
        request.getPrefix().chars().noneMatch(Character::isISOControl),
        "prefix",
        "must have no control characters");
    Set<Status> statuses = EnumSet.noneOf(Status.class);
    for (int i = 0; i < request.getStatesCount(); i++) {
      statuses.add(status("states[" + i + "]", request.getStates(i)));
    }
    @Nullable DecidedBy decider = ScheduleRequests.decider("decider", request.getDecider());
    @Nullable ScheduleName after =
        request.getPageToken().isEmpty()
            ? null
            : ScheduleRequests.name("page_token", request.getPageToken());
    ListSchedulesResponse.Builder answer = ListSchedulesResponse.newBuilder();
    int bytes = 0;
    while (true) {
      List<io.kairos.domain.schedule.fire.Schedule> found =
          edge.list(new ScheduleQuery(request.getPrefix(), after, statuses, decider, READ_AT_ONCE));
      for (var schedule : found) {
        int count = answer.getSchedulesCount();
        if (count == size || bytes > Fields.MOST_BYTES) {
          return answer.setNextPageToken(answer.getSchedules(count - 1).getName()).build();
        }
        Schedule one = listed(schedule);
        bytes += one.getSerializedSize();
        answer.addSchedules(one);
        after = schedule.name();
      }
      if (found.size() < READ_AT_ONCE) {
        return answer.build();
      }
    }
  }

  private static Schedule listed(io.kairos.domain.schedule.fire.Schedule schedule) {
    Schedule.Builder answer =
        ScheduleAnswers.schedule(schedule)
            .setDescription(rule(schedule).map(TimeRule::describe).orElse(Explaining.UNREADABLE));
    answer.getTargetBuilder().clearPayload();
    return answer.build();
  }

  private static Status status(String field, Schedule.State given) {
    return switch (given) {
      case ACTIVE -> Status.ACTIVE;
      case PAUSED -> Status.PAUSED;
      case ENDED -> Status.ENDED;
      case STATE_UNSPECIFIED, UNRECOGNIZED ->
          throw new InvalidField(field, "must be ACTIVE, PAUSED or ENDED");
    };
  }
}
