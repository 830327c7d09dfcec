package io.kairos.edge.schedule;

import static io.kairos.edge.task.RequestFields.instant;
import static io.kairos.edge.task.RequestFields.pageSize;

import io.kairos.api.v1.BackfillScheduleRequest;
import io.kairos.api.v1.BackfillScheduleResponse;
import io.kairos.api.v1.DecideDueRequest;
import io.kairos.api.v1.DecideDueResponse;
import io.kairos.api.v1.ExplainScheduleRequest;
import io.kairos.api.v1.ExplainScheduleResponse;
import io.kairos.api.v1.ListFiresRequest;
import io.kairos.api.v1.ListFiresResponse;
import io.kairos.api.v1.TriggerScheduleRequest;
import io.kairos.api.v1.TriggerScheduleResponse;
import io.kairos.domain.schedule.TimeRule;
import io.kairos.domain.schedule.definition.Schedule;
import io.kairos.domain.schedule.definition.ScheduleName;
import io.kairos.domain.schedule.definition.ScheduleRule;
import io.kairos.domain.schedule.fire.LedgerEntry;
import io.kairos.domain.schedule.fire.SkipCause;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.time.EpochMicros;
import io.kairos.edge.refusal.InvalidField;
import io.kairos.edge.refusal.Refusals;
import io.kairos.edge.task.TaskAnswers;
import io.kairos.engine.schedule.RunResult;
import io.kairos.engine.schedule.ScheduleEdge;
import io.kairos.engine.schedule.port.LedgerQuery;
import io.kairos.engine.schedule.port.NextDecision;
import io.kairos.engine.task.edge.TaskEdge;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Fires schedules on request, and lists and explains their fires. Blocks on the store. */
record FireDesk(ScheduleEdge edge, TaskEdge tasks, StoredSchedules schedules) {
  /** How many of the latest decisions are searched for the one about a given time. */
  private static final int MOST_LOOKED_AT = 20;

  /** Most schedules that one call may decide. */
  private static final int MOST_DECIDED = 1_000;

  /** Reasons for which one ledger entry may cover a range of fire times; such ranges never nest. */
  private static final Set<SkipCause> OF_RANGES =
      EnumSet.complementOf(EnumSet.of(SkipCause.OVERLAP, SkipCause.BUFFER_FULL));

  TriggerScheduleResponse trigger(TriggerScheduleRequest request) {
    ScheduleName name = ScheduleRequests.name("name", request.getName());
    RunResult.Decided decided =
        decided(name, edge.trigger(name, requestId(request.getRequestId()), null));
    return TriggerScheduleResponse.newBuilder()
        .setFire(FireAnswers.fire(decided.entries().getFirst()))
        .setDuplicate(decided.known())
        .build();
  }

  private String requestId(String given) {
    String checked = ScheduleRequests.requestId(given);
    return checked.isEmpty() ? edge.newRequest() : checked;
  }

  private RunResult.Decided decided(ScheduleName name, RunResult result) {
    return switch (result) {
      case RunResult.Decided decided -> decided;
      case RunResult.Unknown() -> throw schedules.unknown(name);
      case RunResult.TooMany(int most) ->
          throw new InvalidField(
              "last_time", "must be so that at most %,d fire times lie between".formatted(most));
      case RunResult.NotPassed() -> throw new InvalidField("last_time", "must be in the past");
    };
  }

  BackfillScheduleResponse backfill(BackfillScheduleRequest request) {
    ScheduleName name = ScheduleRequests.name("name", request.getName());
    Instant from = instant("first_time", request.getFirstTime());
    Instant to = instant("last_time", request.getLastTime());
    InvalidField.require(request.hasFirstTime(), "first_time", "must be given");
    InvalidField.require(request.hasLastTime(), "last_time", "must be given");
    InvalidField.require(!to.isBefore(from), "last_time", "must not be before first_time");
    if (schedules.find("name", request.getName()).definition().rule().kind()
        == ScheduleRule.Kind.DELAY) {
      throw Refusals.notInState("name: a schedule with delay_after has no fire times to backfill");
    }
    String requestId = requestId(request.getRequestId());
    RunResult result =
        edge.backfill(
            name,
            from,
            to,
            requestId,
            DefinitionAnswers.OVERLAPS.read("overlap", request.getOverlap()));
    return ScheduleAnswers.backfilled(decided(name, result), requestId);
  }

  DecideDueResponse decideDue(DecideDueRequest request) {
    int count = request.getNamesCount();
    InvalidField.require(count >= 1 && count <= MOST_DECIDED, "names", "must be 1 to 1,000");
    InvalidField.require(request.hasUpTo(), "up_to", "must be given");
    Instant upTo = instant("up_to", request.getUpTo());
    List<ScheduleName> names = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      names.add(ScheduleRequests.name("names[" + i + "]", request.getNames(i)));
    }
    Map<ScheduleName, NextDecision> standings = new HashMap<>();
    edge.decideDue(names, upTo).forEach(one -> standings.put(one.name(), one));
    DecideDueResponse.Builder answer = DecideDueResponse.newBuilder();
    names.forEach(name -> answer.addSchedules(ScheduleAnswers.standing(name, standings.get(name))));
    return answer.build();
  }

  ListFiresResponse list(ListFiresRequest request) {
    Schedule schedule = schedules.find("name", request.getName());
    int size = pageSize(request.getPageSize());
    LedgerQuery query =
        new LedgerQuery(
            schedule.id(),
            request.hasNotBefore() ? instant("not_before", request.getNotBefore()) : null,
            request.hasBefore() ? before(instant("before", request.getBefore())) : null,
            FireAnswers.DECISIONS.readAll(
                "decisions", request.getDecisionsList(), "must be FIRED or SKIPPED"),
            FireAnswers.REASONS.readAll("reasons", request.getReasonsList(), "must be a reason"),
            place(request.getPageToken()),
            size + 1);
    List<LedgerEntry> found = edge.fires(query);
    List<LedgerEntry> shown = found.subList(0, Math.min(size, found.size()));
    ListFiresResponse.Builder answer = ListFiresResponse.newBuilder();
    shown.forEach(entry -> answer.addFires(FireAnswers.fire(entry)));
    if (found.size() > size) {
      LedgerEntry last = shown.getLast();
      answer.setNextPageToken(EpochMicros.of(last.fireAt()) + ":" + last.request());
    }
    return answer.build();
  }

  /** The last microsecond before an end: the store's bound is inclusive, the API's is not. */
  private static Instant before(Instant end) {
    return end.minusNanos(1_000);
  }

  private static LedgerQuery.@Nullable PageStart place(String token) {
    if (token.isEmpty()) {
      return null;
    }
    String[] parts = token.split(":", 2);
    try {
      long micros = Long.parseLong(parts[0]);
      if (EpochMicros.inRange(micros)) {
        return new LedgerQuery.PageStart(
            EpochMicros.toInstant(micros), ScheduleRequests.requestId(parts[parts.length - 1]));
      }
    } catch (IllegalArgumentException | InvalidField _) {
      // It is refused below.
    }
    throw new InvalidField("page_token", "must come from the answer to the same question");
  }

  ExplainScheduleResponse explain(ExplainScheduleRequest request) {
    Schedule schedule = schedules.find("name", request.getName());
    Optional<TimeRule> rule = StoredSchedules.rule(schedule);
    if (rule.isEmpty()) {
      return ExplainScheduleResponse.newBuilder().setExplanation(FireExplainer.UNREADABLE).build();
    }
    FireExplainer explaining =
        new FireExplainer(schedule, rule.get(), schedules.calendars(rule.get()), edge.now());
    if (!request.hasAt()) {
      return explaining.atPresent();
    }
    Instant at = instant("at", request.getAt());
    List<LedgerEntry> before = new ArrayList<>(decisions(schedule, at.plusSeconds(1), Set.of()));
    before.addAll(decisions(schedule, at, OF_RANGES));
    ExplainScheduleResponse answer = explaining.at(at, before);
    String run = answer.getFire().getExecutionId();
    return run.isEmpty() ? answer : withTask(answer, run);
  }

  /** The latest decisions up to a time. */
  private List<LedgerEntry> decisions(Schedule schedule, Instant to, Set<SkipCause> reasons) {
    return edge.fires(
        new LedgerQuery(schedule.id(), null, to, Set.of(), reasons, null, MOST_LOOKED_AT));
  }

  private ExplainScheduleResponse withTask(ExplainScheduleResponse answer, String run) {
    ExplainScheduleResponse.Builder more = answer.toBuilder();
    tasks
        .find(new TaskId(UUID.fromString(run)))
        .ifPresent(task -> more.setTaskState(TaskAnswers.STATES.write(task.state())));
    return more.build();
  }
}
