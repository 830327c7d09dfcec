package io.kairos.edge.schedule;

import static io.kairos.edge.refusal.InvalidField.require;
import static io.kairos.edge.task.RequestFields.pageSize;

import io.kairos.api.v1.Access.Kind;
import io.kairos.api.v1.Fire;
import io.kairos.api.v1.GetScheduleRequest;
import io.kairos.api.v1.ListSchedulesRequest;
import io.kairos.api.v1.ListSchedulesResponse;
import io.kairos.api.v1.PlannedFire;
import io.kairos.api.v1.Schedule;
import io.kairos.domain.schedule.TimeRule;
import io.kairos.domain.schedule.calendar.CalendarName;
import io.kairos.domain.schedule.calendar.WorkingCalendar;
import io.kairos.domain.schedule.definition.FiringStatus;
import io.kairos.domain.schedule.definition.ScheduleDecider;
import io.kairos.domain.schedule.definition.ScheduleId;
import io.kairos.domain.schedule.definition.ScheduleName;
import io.kairos.domain.text.SpellingSuggestion;
import io.kairos.edge.caller.CallerScope;
import io.kairos.edge.caller.PresentCaller;
import io.kairos.edge.refusal.InvalidField;
import io.kairos.edge.refusal.Refusals;
import io.kairos.edge.task.RequestFields;
import io.kairos.engine.schedule.ScheduleEdge;
import io.kairos.engine.schedule.port.LedgerQuery;
import io.kairos.engine.schedule.port.ScheduleFilter;
import io.kairos.engine.schedule.port.ScheduleListing;
import java.time.DateTimeException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Finds stored schedules and writes them as API messages. Blocks on the store. */
record StoredSchedules(ScheduleEdge edge) {
  /** Schedules per read of the store; each comes with its headers. */
  private static final int READ_AT_ONCE = 50;

  /** Begins a token of a page that ends at a schedule which may not be named; no name begins so. */
  private static final String BY_ID = "~";

  Schedule get(GetScheduleRequest request) {
    io.kairos.domain.schedule.definition.Schedule schedule = find("name", request.getName());
    Schedule.Builder answer = whole(schedule);
    edge.fires(LedgerQuery.latest(schedule.id(), ScheduleAnswers.SHOWN))
        .forEach(entry -> answer.addLastFires(FireAnswers.fire(entry)));
    return answer.build();
  }

  /** Finds a schedule; a missing one is refused, with a similar name. */
  io.kairos.domain.schedule.definition.Schedule find(String field, String given) {
    ScheduleName name = ScheduleRequests.name(field, given);
    return edge.find(name).orElseThrow(() -> unknown(name));
  }

  /** The refusal for a missing schedule; suggests a similar name of the same folder. */
  RuntimeException unknown(ScheduleName name) {
    int folder = name.value().lastIndexOf('/') + 1;
    String begin = name.value().substring(0, Math.min(name.value().length(), folder + 2));
    List<String> names =
        edge
            .list(new ScheduleFilter(begin, null, Set.of(), null, READ_AT_ONCE))
            .schedules()
            .stream()
            .map(one -> one.name().value())
            .filter(one -> PresentCaller.scope().covers(Kind.SCHEDULE, one))
            .toList();
    return Refusals.notFound(
        "name: there is no schedule " + name + SpellingSuggestion.question(name.value(), names));
  }

  /**
   * Parses a stored rule. Empty when it cannot be parsed any more, for example because its time
   * zone no longer exists; such a schedule can still be shown, changed and deleted.
   */
  static Optional<TimeRule> rule(io.kairos.domain.schedule.definition.Schedule schedule) {
    try {
      return Optional.of(schedule.definition().timeRule(schedule.name(), schedule.createdAt()));
    } catch (IllegalArgumentException | DateTimeException _) {
      return Optional.empty();
    }
  }

  /** The calendars that a rule names; a missing one is refused, with a similar name. */
  Map<CalendarName, WorkingCalendar> calendars(TimeRule rule) {
    return calendars(rule, Map.of());
  }

  /** The calendars that a rule names; those in {@code assumed} replace stored ones. */
  Map<CalendarName, WorkingCalendar> calendars(
      TimeRule rule, Map<CalendarName, WorkingCalendar> assumed) {
    List<CalendarName> names = rule.terms().calendarNames();
    Map<CalendarName, WorkingCalendar> found = new HashMap<>(edge.calendars(names));
    found.putAll(assumed);
    for (CalendarName name : names) {
      if (!found.containsKey(name)) {
        throw CalendarDesk.unknown(edge, "schedule.calendars", name);
      }
    }
    return found;
  }

  /** Writes a schedule with its payload and next fire times. */
  Schedule.Builder whole(io.kairos.domain.schedule.definition.Schedule schedule) {
    Schedule.Builder answer = ScheduleAnswers.schedule(schedule);
    Optional<TimeRule> rule = rule(schedule);
    if (rule.isEmpty()) {
      return answer.setDescription(FireExplainer.UNREADABLE).clearNextFireTime();
    }
    List<PlannedFire> fires = ScheduleAnswers.next(schedule, rule.get(), calendars(rule.get()));
    if (rule.get().isPlanned()) {
      // The stored time of the next decision may differ, after a delay or a change of a calendar.
      fires.stream()
          .filter(fire -> fire.getSkipped() == Fire.Reason.REASON_UNSPECIFIED)
          .findFirst()
          .ifPresent(fire -> answer.setNextFireTime(fire.getFireTime()));
    }
    return answer.setDescription(rule.get().describe()).addAllNextFires(fires);
  }

  /** Checks the beginning of names, which may be empty. */
  static String prefix(String given) {
    require(
        given.chars().noneMatch(Character::isISOControl),
        "prefix",
        "must have no control characters");
    return given;
  }

  ListSchedulesResponse list(ListSchedulesRequest request) {
    int size = pageSize(request.getPageSize());
    String prefix = prefix(request.getPrefix());
    Set<FiringStatus> statuses =
        ScheduleAnswers.STATES.readAll(
            "states", request.getStatesList(), "must be ACTIVE, PAUSED or ENDED");
    @Nullable ScheduleDecider decider =
        DefinitionAnswers.DECIDERS.read("decider", request.getDecider());
    @Nullable ScheduleName after = after(request.getPageToken());
    ListSchedulesResponse.Builder answer = ListSchedulesResponse.newBuilder();
    CallerScope scope = PresentCaller.scope();
    int bytes = 0;
    if (scope.closes(Kind.SCHEDULE)) {
      return answer.build();
    }
    while (true) {
      ScheduleListing found =
          edge.list(
              new ScheduleFilter(
                  prefix, scope.ofSchedules(), after, statuses, decider, READ_AT_ONCE));
      for (var schedule : found.schedules()) {
        int count = answer.getSchedulesCount();
        if (count == size || bytes > RequestFields.MOST_BYTES) {
          return answer.setNextPageToken(answer.getSchedules(count - 1).getName()).build();
        }
        after = schedule.name();
        Schedule one = listed(schedule);
        bytes += one.getSerializedSize();
        answer.addSchedules(one);
      }
      ScheduleListing.Place lookedTo = found.lookedTo();
      if (lookedTo != null) {
        return answer.setNextPageToken(BY_ID + lookedTo.id().value()).build();
      }
      if (found.schedules().size() < READ_AT_ONCE) {
        return answer.build();
      }
    }
  }

  /** The last schedule of the page before; null for the first page. */
  private @Nullable ScheduleName after(String token) {
    if (token.isEmpty()) {
      return null;
    }
    if (!token.startsWith(BY_ID)) {
      return ScheduleRequests.name("page_token", token);
    }
    ScheduleId id =
        InvalidField.reading(
            "page_token",
            "must come from the answer to the same question",
            () -> new ScheduleId(UUID.fromString(token.substring(BY_ID.length()))));
    return edge.nameOf(id)
        .orElseThrow(() ->
            new InvalidField(
                "page_token",
                "is of a page that ends at a schedule which has been deleted: begin with the first page"));
  }

  private static Schedule listed(io.kairos.domain.schedule.definition.Schedule schedule) {
    Schedule.Builder answer =
        ScheduleAnswers.schedule(schedule)
            .setDescription(
                rule(schedule).map(TimeRule::describe).orElse(FireExplainer.UNREADABLE));
    answer.getTargetBuilder().clearPayload();
    answer.getStepsBuilderList().forEach(step -> step.getTargetBuilder().clearPayload());
    return answer.build();
  }
}
