package io.kairos.server.edge.schedule;

import static io.kairos.server.edge.refusal.InvalidField.require;

import io.kairos.api.v1.ApplyScheduleRequest;
import io.kairos.api.v1.ApplyScheduleResponse;
import io.kairos.api.v1.ApplyScheduleResponse.Change;
import io.kairos.api.v1.ApplyScheduleResponse.Outcome;
import io.kairos.api.v1.CreateScheduleRequest;
import io.kairos.api.v1.DeleteScheduleRequest;
import io.kairos.api.v1.DeleteScheduleResponse;
import io.kairos.api.v1.Fire;
import io.kairos.api.v1.GetScheduleRequest;
import io.kairos.api.v1.ListSchedulesRequest;
import io.kairos.api.v1.ListSchedulesResponse;
import io.kairos.api.v1.PauseScheduleRequest;
import io.kairos.api.v1.PlannedFire;
import io.kairos.api.v1.PreviewScheduleRequest;
import io.kairos.api.v1.PreviewScheduleResponse;
import io.kairos.api.v1.ResumeScheduleRequest;
import io.kairos.api.v1.Schedule;
import io.kairos.api.v1.UpdateScheduleRequest;
import io.kairos.domain.schedule.TimeRule;
import io.kairos.domain.schedule.calendar.BusinessCalendar;
import io.kairos.domain.schedule.calendar.CalendarName;
import io.kairos.domain.schedule.calendar.UnknownCalendarException;
import io.kairos.domain.schedule.fire.RuleTimetable;
import io.kairos.domain.schedule.fire.ScheduleName;
import io.kairos.domain.schedule.fire.Status;
import io.kairos.engine.schedule.ScheduleEdge;
import io.kairos.engine.schedule.ScheduleResult;
import io.kairos.engine.schedule.port.LedgerQuery;
import io.kairos.engine.schedule.port.ScheduleQuery;
import io.kairos.server.edge.refusal.InvalidField;
import io.kairos.server.edge.refusal.Refusals;
import io.kairos.server.edge.schedule.ScheduleRequests.Wanted;
import io.kairos.server.edge.task.Fields;
import io.kairos.server.edge.task.TaskAnswers;
import io.kairos.server.text.Suggestion;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Does what is asked of schedules. Blocks while the store works; of one call. */
final class ScheduleDesk {
  private static final int MOST_PREVIEWED = 1_000;

  /** From the store, with their payloads. */
  private static final int READ_AT_ONCE = 50;

  private final ScheduleEdge edge;
  private final ScheduleRequests requests;

  ScheduleDesk(ScheduleEdge edge, ScheduleRequests requests) {
    this.edge = edge;
    this.requests = requests;
  }

  Schedule create(CreateScheduleRequest request) {
    Wanted wanted = wanted(request.getSchedule(), edge.now(), Map.of());
    if (request.getDryRun()) {
      if (edge.find(wanted.name()).isPresent()) {
        throw taken(wanted.name());
      }
      return expected(wanted, Map.of());
    }
    return created(wanted);
  }

  private Schedule created(Wanted wanted) {
    return answer(wanted.name(), storing(() -> edge.create(wanted.name(), wanted.definition())));
  }

  /** A calendar that was there a moment ago may be gone. */
  private ScheduleResult storing(Supplier<ScheduleResult> call) {
    try {
      return call.get();
    } catch (UnknownCalendarException e) {
      throw CalendarDesk.unknown(edge, "schedule.calendars", new CalendarName(e.calendar()));
    }
  }

  /** Checked, within the request and with the calendars that there are. */
  private Wanted wanted(
      Schedule given, Instant createdAt, Map<CalendarName, BusinessCalendar> assumed) {
    Wanted wanted;
    try {
      wanted = requests.wanted(given, createdAt);
    } catch (InvalidField e) {
      throw e.in("schedule");
    }
    calendars(wanted.rule(), assumed);
    return wanted;
  }

  /** Those that a rule names; refused with the nearest name when one is missing. */
  Map<CalendarName, BusinessCalendar> calendars(TimeRule rule) {
    return calendars(rule, Map.of());
  }

  /** With some as they are going to be. */
  private Map<CalendarName, BusinessCalendar> calendars(
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

  /** A schedule as it would be if it were stored now. */
  private Schedule expected(Wanted wanted, Map<CalendarName, BusinessCalendar> assumed) {
    Instant now = edge.now();
    Map<CalendarName, BusinessCalendar> calendars = calendars(wanted.rule(), assumed);
    if (new RuleTimetable(wanted.rule(), calendars).next(now).isEmpty()) {
      throw neverFires();
    }
    Long maxRuns = wanted.definition().bounds().maxRuns();
    long most = maxRuns == null ? ScheduleAnswers.SHOWN : maxRuns;
    List<PlannedFire> fires =
        FireAnswers.planned(
            wanted.rule(), calendars, null, now, (int) Math.min(ScheduleAnswers.SHOWN, most));
    return DefinitionAnswers.schedule(wanted.definition())
        .setName(wanted.name().value())
        .setState(Schedule.State.ACTIVE)
        .setSince(TaskAnswers.timestamp(now))
        .setCreatedAt(TaskAnswers.timestamp(now))
        .setDescription(wanted.rule().describe())
        .addAllNextFires(fires)
        .build();
  }

  private static InvalidField neverFires() {
    return new InvalidField(
        "schedule",
        "would never fire: its rule names no time to come within its bounds and calendars");
  }

  private static RuntimeException taken(ScheduleName name) {
    return Refusals.exists("schedule.name: there is a schedule " + name + " already");
  }

  private Schedule answer(ScheduleName name, ScheduleResult result) {
    return switch (result) {
      case ScheduleResult.Done(var schedule) -> whole(schedule).build();
      case ScheduleResult.Unknown() -> throw unknown(name);
      case ScheduleResult.NameTaken() -> throw taken(name);
      case ScheduleResult.Changed(long generation) ->
          throw Refusals.aborted(
              "schedule.generation: it has been changed, its generation is " + generation);
      case ScheduleResult.NeverFires() -> throw neverFires();
    };
  }

  /** With the nearest of the names around it. */
  RuntimeException unknown(ScheduleName name) {
    int folder = name.value().lastIndexOf('/') + 1;
    String begin = name.value().substring(0, Math.min(name.value().length(), folder + 2));
    List<String> names =
        edge.list(new ScheduleQuery(begin, null, Set.of(), READ_AT_ONCE)).stream()
            .map(one -> one.name().value())
            .toList();
    return Refusals.notFound(
        "name: there is no schedule " + name + Suggestion.question(name.value(), names));
  }

  ApplyScheduleResponse apply(ApplyScheduleRequest request) {
    ScheduleName name = nameIn(request.getSchedule());
    Map<CalendarName, BusinessCalendar> assumed = CalendarDesk.assumed(request);
    Optional<io.kairos.domain.schedule.fire.Schedule> before = edge.find(name);
    if (before.isEmpty()) {
      Wanted wanted = wanted(request.getSchedule(), edge.now(), assumed);
      return ApplyScheduleResponse.newBuilder()
          .setOutcome(Outcome.CREATED)
          .setSchedule(request.getDryRun() ? expected(wanted, assumed) : created(wanted))
          .build();
    }
    io.kairos.domain.schedule.fire.Schedule stored = before.get();
    Wanted wanted = wanted(request.getSchedule(), stored.createdAt(), assumed);
    List<Change> changes =
        Changes.between(
            DefinitionAnswers.schedule(stored.definition()).build(),
            DefinitionAnswers.schedule(wanted.definition()).build());
    ApplyScheduleResponse.Builder answer =
        ApplyScheduleResponse.newBuilder()
            .setOutcome(changes.isEmpty() ? Outcome.UNCHANGED : Outcome.CHANGED)
            .addAllChanges(changes);
    if (changes.isEmpty()) {
      answer.setSchedule(whole(stored));
    } else if (request.getDryRun()) {
      answer.setSchedule(expected(wanted, assumed));
    } else {
      answer.setSchedule(answer(name, update(stored, wanted)));
    }
    return answer.build();
  }

  private static ScheduleName nameIn(Schedule given) {
    return ScheduleRequests.name("schedule.name", given.getName());
  }

  Schedule get(GetScheduleRequest request) {
    io.kairos.domain.schedule.fire.Schedule schedule = find(request.getName());
    Schedule.Builder answer = whole(schedule);
    edge.fires(LedgerQuery.latest(schedule.id(), ScheduleAnswers.SHOWN))
        .forEach(entry -> answer.addLastFires(FireAnswers.fire(entry)));
    return answer.build();
  }

  /** Refused, with the nearest name, when there is none. */
  io.kairos.domain.schedule.fire.Schedule find(String given) {
    ScheduleName name = ScheduleRequests.name("name", given);
    return edge.find(name).orElseThrow(() -> unknown(name));
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

  private Schedule.Builder whole(io.kairos.domain.schedule.fire.Schedule schedule) {
    Schedule.Builder answer = shown(schedule);
    Optional<TimeRule> rule = rule(schedule);
    if (rule.isEmpty()) {
      return answer.clearNextFireTime();
    }
    List<PlannedFire> fires = ScheduleAnswers.next(schedule, rule.get(), calendars(rule.get()));
    if (rule.get() instanceof TimeRule.Planned) {
      // When it is looked at next may be another time: it was put off, or its calendar changed.
      fires.stream()
          .filter(fire -> fire.getSkipped() == Fire.Reason.REASON_UNSPECIFIED)
          .findFirst()
          .ifPresent(fire -> answer.setNextFireTime(fire.getFireTime()));
    }
    return answer.addAllNextFires(fires);
  }

  private static Schedule.Builder shown(io.kairos.domain.schedule.fire.Schedule schedule) {
    return ScheduleAnswers.schedule(schedule)
        .setDescription(rule(schedule).map(TimeRule::describe).orElse(Explaining.UNREADABLE));
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
    @Nullable ScheduleName after =
        request.getPageToken().isEmpty()
            ? null
            : ScheduleRequests.name("page_token", request.getPageToken());
    ListSchedulesResponse.Builder answer = ListSchedulesResponse.newBuilder();
    int bytes = 0;
    while (true) {
      List<io.kairos.domain.schedule.fire.Schedule> found =
          edge.list(new ScheduleQuery(request.getPrefix(), after, statuses, READ_AT_ONCE));
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
    Schedule.Builder answer = shown(schedule);
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

  Schedule update(UpdateScheduleRequest request) {
    ScheduleName name = nameIn(request.getSchedule());
    io.kairos.domain.schedule.fire.Schedule stored =
        edge.find(name).orElseThrow(() -> unknown(name));
    long expected = request.getSchedule().getGeneration();
    if (expected != 0 && expected != stored.generation()) {
      return answer(name, new ScheduleResult.Changed(stored.generation()));
    }
    Schedule before = DefinitionAnswers.schedule(stored.definition()).setName(name.value()).build();
    Wanted wanted = wanted(Changes.merged(before, request), stored.createdAt(), Map.of());
    return answer(name, update(stored, wanted));
  }

  private ScheduleResult update(io.kairos.domain.schedule.fire.Schedule stored, Wanted wanted) {
    return storing(() -> edge.update(stored.name(), stored.generation(), wanted.definition()));
  }

  Schedule pause(PauseScheduleRequest request) {
    ScheduleName name = ScheduleRequests.name("name", request.getName());
    return ScheduleAnswers.forSubmitter(
        answer(name, edge.pause(name, ScheduleRequests.note(request.getNote()))));
  }

  Schedule resume(ResumeScheduleRequest request) {
    ScheduleName name = ScheduleRequests.name("name", request.getName());
    return ScheduleAnswers.forSubmitter(answer(name, edge.resume(name)));
  }

  DeleteScheduleResponse delete(DeleteScheduleRequest request) {
    ScheduleName name = ScheduleRequests.name("name", request.getName());
    if (!edge.delete(name)) {
      throw unknown(name);
    }
    return DeleteScheduleResponse.getDefaultInstance();
  }

  PreviewScheduleResponse preview(PreviewScheduleRequest request) {
    Schedule given = request.getSchedule();
    int count = request.getCount() == 0 ? ScheduleAnswers.SHOWN : request.getCount();
    require(count >= 1 && count <= MOST_PREVIEWED, "count", "must be 1 to 1,000");
    Instant from = request.hasFrom() ? RuleRequests.instant("from", request.getFrom()) : edge.now();
    TimeRule rule;
    try {
      rule =
          RuleRequests.read(
              given,
              RuleRequests.rule(given),
              RuleRequests.bounds(given),
              RuleRequests.spread(given),
              from);
    } catch (InvalidField e) {
      throw e.in("schedule");
    }
    Map<CalendarName, BusinessCalendar> calendars = calendars(rule);
    int most = given.hasMaxRuns() ? (int) Math.min(count, given.getMaxRuns()) : count;
    return PreviewScheduleResponse.newBuilder()
        .setDescription(rule.describe())
        .addAllFires(FireAnswers.planned(rule, calendars, null, from, most))
        .build();
  }
}
