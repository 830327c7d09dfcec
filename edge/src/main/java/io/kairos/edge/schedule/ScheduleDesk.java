package io.kairos.edge.schedule;

import static io.kairos.edge.refusal.InvalidField.require;
import static io.kairos.edge.refusal.InvalidField.within;
import static io.kairos.edge.task.RequestFields.instant;
import static io.kairos.edge.task.RequestFields.note;

import io.kairos.api.text.ProtoTime;
import io.kairos.api.v1.ApplyScheduleRequest;
import io.kairos.api.v1.ApplyScheduleResponse;
import io.kairos.api.v1.ApplyScheduleResponse.Change;
import io.kairos.api.v1.ApplyScheduleResponse.Outcome;
import io.kairos.api.v1.CreateScheduleRequest;
import io.kairos.api.v1.DeleteScheduleRequest;
import io.kairos.api.v1.DeleteScheduleResponse;
import io.kairos.api.v1.PauseScheduleRequest;
import io.kairos.api.v1.PlannedFire;
import io.kairos.api.v1.PreviewScheduleRequest;
import io.kairos.api.v1.PreviewScheduleResponse;
import io.kairos.api.v1.PutScheduleRequest;
import io.kairos.api.v1.ResumeScheduleRequest;
import io.kairos.api.v1.Schedule;
import io.kairos.api.v1.UpdateScheduleRequest;
import io.kairos.domain.schedule.TimeRule;
import io.kairos.domain.schedule.calendar.CalendarName;
import io.kairos.domain.schedule.calendar.UnknownCalendarException;
import io.kairos.domain.schedule.calendar.WorkingCalendar;
import io.kairos.domain.schedule.definition.ScheduleName;
import io.kairos.domain.schedule.definition.ScheduleStep;
import io.kairos.domain.schedule.definition.ScheduleTarget;
import io.kairos.domain.schedule.fire.RuleTimetable;
import io.kairos.edge.call.EntityTag;
import io.kairos.edge.caller.PresentCaller;
import io.kairos.edge.refusal.InvalidField;
import io.kairos.edge.refusal.Refusals;
import io.kairos.edge.schedule.ScheduleRequests.Wanted;
import io.kairos.engine.schedule.ScheduleEdge;
import io.kairos.engine.schedule.ScheduleResult;
import io.kairos.engine.task.edge.QueueEdge;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** Executes one call that changes or previews schedules. Blocks on the store. */
final class ScheduleDesk {
  private static final int MOST_PREVIEWED = 1_000;

  private final ScheduleEdge edge;
  private final QueueEdge queues;
  private final ScheduleRequests requests;
  private final StoredSchedules schedules;

  ScheduleDesk(ScheduleEdge edge, QueueEdge queues, ScheduleRequests requests) {
    this.edge = edge;
    this.queues = queues;
    this.requests = requests;
    this.schedules = new StoredSchedules(edge);
  }

  Schedule create(CreateScheduleRequest request) {
    Wanted wanted = wanted(request.getSchedule(), edge.now(), Map.of());
    if (edge.find(wanted.name()).isPresent()) {
      throw taken(wanted.name());
    }
    return request.getDryRun() ? expected(wanted, Map.of()) : created(wanted);
  }

  private Schedule created(Wanted wanted) {
    return answer(
        wanted.name(), "", storing(wanted, () -> edge.create(wanted.name(), wanted.definition())));
  }

  /**
   * Stores a schedule, for whose caller its queue is made first. The store refuses it only when the
   * schedule, its name or a calendar has been changed since that was checked; the queue is then
   * forgotten in time.
   */
  private ScheduleResult storing(Wanted wanted, Supplier<ScheduleResult> call) {
    requireFires(wanted, schedules.calendars(wanted.rule()));
    if (wanted.definition().target() instanceof ScheduleTarget.Handler handler) {
      queues.make(handler.queue(), PresentCaller.maker());
    }
    for (ScheduleStep step : wanted.definition().steps()) {
      queues.make(step.target().queue(), PresentCaller.maker());
    }
    try {
      return call.get();
    } catch (UnknownCalendarException e) {
      throw CalendarDesk.unknown(edge, "schedule.calendars", new CalendarName(e.calendar()));
    }
  }

  /** Checks a schedule, and that its calendars exist. */
  private Wanted wanted(
      Schedule given, Instant createdAt, Map<CalendarName, WorkingCalendar> assumed) {
    Wanted wanted = within("schedule", () -> requests.wanted(given, createdAt));
    schedules.calendars(wanted.rule(), assumed);
    return wanted;
  }

  /** The schedule that a call which is no dry run would return. */
  private Schedule expected(Wanted wanted, Map<CalendarName, WorkingCalendar> assumed) {
    Map<CalendarName, WorkingCalendar> calendars = schedules.calendars(wanted.rule(), assumed);
    Instant now = requireFires(wanted, calendars);
    Long maxRuns = wanted.definition().bounds().maxRuns();
    long most = maxRuns == null ? ScheduleAnswers.SHOWN : maxRuns;
    List<PlannedFire> fires =
        FireAnswers.planned(
            wanted.rule(), calendars, null, now, (int) Math.min(ScheduleAnswers.SHOWN, most));
    return DefinitionAnswers.schedule(wanted.definition())
        .setName(wanted.name().value())
        .setState(Schedule.State.ACTIVE)
        .setSince(ProtoTime.of(now))
        .setCreatedAt(ProtoTime.of(now))
        .setDescription(wanted.rule().describe())
        .addAllNextFires(fires)
        .build();
  }

  /** Refuses a schedule without a fire time to come; returns the time of the check. */
  private Instant requireFires(Wanted wanted, Map<CalendarName, WorkingCalendar> calendars) {
    Instant now = edge.now();
    if (new RuleTimetable(wanted.rule(), calendars).next(now).isEmpty()) {
      throw neverFires();
    }
    return now;
  }

  private static InvalidField neverFires() {
    return new InvalidField(
        "schedule",
        "would never fire: its rule names no time to come within its bounds and calendars");
  }

  private static String what(ScheduleName name) {
    return "the schedule " + name;
  }

  private static RuntimeException taken(ScheduleName name) {
    return Refusals.exists("schedule.name: there is a schedule " + name + " already");
  }

  /**
   * The schedule after a change.
   *
   * @param etag the one that the caller has given; empty for none
   */
  private Schedule answer(ScheduleName name, String etag, ScheduleResult result) {
    return switch (result) {
      case ScheduleResult.Done(var schedule) -> schedules.whole(schedule).build();
      case ScheduleResult.Unknown() -> throw schedules.unknown(name);
      case ScheduleResult.NameTaken() -> throw taken(name);
      case ScheduleResult.Changed(long generation) -> throw changed(name, etag, generation);
      case ScheduleResult.NeverFires() -> throw neverFires();
    };
  }

  private RuntimeException changed(ScheduleName name, String etag, long generation) {
    return etag.isEmpty()
        ? Refusals.aborted(
            "schedule: it has been changed meanwhile, its generation is "
                + generation
                + "; nothing was done: read it again, and repeat the change")
        : Refusals.stale(what(name), edge.find(name).map(ScheduleAnswers::tag).orElse(""));
  }

  ApplyScheduleResponse apply(ApplyScheduleRequest request) {
    ScheduleName name = ScheduleRequests.name("schedule.name", request.getSchedule().getName());
    Map<CalendarName, WorkingCalendar> assumed = CalendarDesk.assumed(request);
    Optional<io.kairos.domain.schedule.definition.Schedule> before = edge.find(name);
    EntityTag.require(
        request.getSchedule().getEtag(), before.map(ScheduleAnswers::tag).orElse(""), what(name));
    if (before.isEmpty()) {
      Wanted wanted = wanted(request.getSchedule(), edge.now(), assumed);
      return ApplyScheduleResponse.newBuilder()
          .setOutcome(Outcome.CREATED)
          .setSchedule(request.getDryRun() ? expected(wanted, assumed) : created(wanted))
          .build();
    }
    io.kairos.domain.schedule.definition.Schedule stored = before.get();
    Wanted wanted = wanted(request.getSchedule(), stored.createdAt(), assumed);
    List<Change> changes =
        DefinitionChanges.between(
            DefinitionAnswers.schedule(stored.definition()).build(),
            DefinitionAnswers.schedule(wanted.definition()).build());
    ApplyScheduleResponse.Builder answer =
        ApplyScheduleResponse.newBuilder()
            .setOutcome(changes.isEmpty() ? Outcome.UNCHANGED : Outcome.CHANGED)
            .addAllChanges(changes);
    if (changes.isEmpty()) {
      answer.setSchedule(schedules.whole(stored));
    } else if (request.getDryRun()) {
      answer.setSchedule(expected(wanted, assumed));
    } else {
      String etag = request.getSchedule().getEtag();
      answer.setSchedule(answer(name, etag, update(stored, wanted)));
    }
    return answer.build();
  }

  Schedule put(PutScheduleRequest request) {
    return apply(
            ApplyScheduleRequest.newBuilder()
                .setSchedule(request.getSchedule())
                .setDryRun(request.getDryRun())
                .build())
        .getSchedule();
  }

  Schedule update(UpdateScheduleRequest request) {
    io.kairos.domain.schedule.definition.Schedule stored =
        schedules.find("schedule.name", request.getSchedule().getName());
    ScheduleName name = stored.name();
    EntityTag.require(request.getSchedule().getEtag(), ScheduleAnswers.tag(stored), what(name));
    Schedule before = DefinitionAnswers.schedule(stored.definition()).setName(name.value()).build();
    Schedule merged = DefinitionChanges.merged(before, request);
    PresentCaller.requireAll(merged);
    Wanted wanted = wanted(merged, stored.createdAt(), Map.of());
    return answer(name, request.getSchedule().getEtag(), update(stored, wanted));
  }

  private ScheduleResult update(
      io.kairos.domain.schedule.definition.Schedule stored, Wanted wanted) {
    return storing(
        wanted, () -> edge.update(stored.name(), stored.generation(), wanted.definition()));
  }

  Schedule pause(PauseScheduleRequest request) {
    ScheduleName name = ScheduleRequests.name("name", request.getName());
    return ScheduleAnswers.forSubmitter(
        answer(name, "", edge.pause(name, note(request.getNote()))));
  }

  Schedule resume(ResumeScheduleRequest request) {
    ScheduleName name = ScheduleRequests.name("name", request.getName());
    return ScheduleAnswers.forSubmitter(answer(name, "", edge.resume(name)));
  }

  DeleteScheduleResponse delete(DeleteScheduleRequest request) {
    ScheduleName name = ScheduleRequests.name("name", request.getName());
    if (!edge.delete(name)) {
      throw schedules.unknown(name);
    }
    return DeleteScheduleResponse.getDefaultInstance();
  }

  PreviewScheduleResponse preview(PreviewScheduleRequest request) {
    Schedule given = request.getSchedule();
    int count = request.getCount() == 0 ? ScheduleAnswers.SHOWN : request.getCount();
    require(count >= 1 && count <= MOST_PREVIEWED, "count", "must be 1 to 1,000");
    Instant from = request.hasAfter() ? instant("after", request.getAfter()) : edge.now();
    TimeRule rule =
        within(
            "schedule",
            () ->
                RuleRequests.read(
                    given,
                    RuleRequests.rule(given),
                    RuleRequests.bounds(given),
                    RuleRequests.spread(given),
                    from));
    Map<CalendarName, WorkingCalendar> calendars = schedules.calendars(rule);
    int most = given.hasMaxRuns() ? (int) Math.min(count, given.getMaxRuns()) : count;
    return PreviewScheduleResponse.newBuilder()
        .setDescription(rule.describe())
        .addAllFires(FireAnswers.planned(rule, calendars, null, from, most))
        .build();
  }
}
