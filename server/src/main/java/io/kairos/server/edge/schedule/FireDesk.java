package io.kairos.server.edge.schedule;

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
import io.kairos.domain.schedule.fire.LedgerEntry;
import io.kairos.domain.schedule.fire.Reason;
import io.kairos.domain.schedule.fire.Rule;
import io.kairos.domain.schedule.fire.Schedule;
import io.kairos.domain.schedule.fire.ScheduleName;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.schedule.RunResult;
import io.kairos.engine.schedule.ScheduleEdge;
import io.kairos.engine.schedule.port.LedgerQuery;
import io.kairos.engine.schedule.port.Standing;
import io.kairos.engine.task.TaskEdge;
import io.kairos.server.edge.refusal.InvalidField;
import io.kairos.server.edge.refusal.Refusals;
import io.kairos.server.edge.task.Fields;
import io.kairos.server.edge.task.TaskAnswers;
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

/** Fires schedules on request, and answers about their fires. Blocks while the store works. */
record FireDesk(ScheduleEdge edge, TaskEdge tasks, StoredSchedules schedules) {
  /** Decisions up to a time among which that of the time is looked for, when it is no range. */
  private static final int MOST_LOOKED_AT = 20;

  /** Schedules that are decided by one call. */
  private static final int MOST_DECIDED = 1_000;

  /** Of which a line may be about many fire times; none of these lines lies within another. */
  private static final Set<Reason> OF_RANGES =
      EnumSet.complementOf(EnumSet.of(Reason.OVERLAP, Reason.BUFFER_FULL));

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
              "to", "must be so that at most %,d fire times lie between".formatted(most));
      case RunResult.NotPassed() -> throw new InvalidField("to", "must be in the past");
    };
  }

  BackfillScheduleResponse backfill(BackfillScheduleRequest request) {
    ScheduleName name = ScheduleRequests.name("name", request.getName());
    Instant from = RuleRequests.instant("from", request.getFrom());
    Instant to = RuleRequests.instant("to", request.getTo());
    InvalidField.require(request.hasFrom(), "from", "must be given");
    InvalidField.require(request.hasTo(), "to", "must be given");
    InvalidField.require(!to.isBefore(from), "to", "must not be before from");
    if (schedules.find("name", request.getName()).definition().rule().kind() == Rule.Kind.DELAY) {
      throw Refusals.notInState(
          "name: its rule is delay_after, and has no fire times but those that its runs make");
    }
    String requestId = requestId(request.getRequestId());
    RunResult result =
        edge.backfill(
            name, from, to, requestId, ScheduleRequests.overlap("overlap", request.getOverlap()));
    return ScheduleAnswers.backfilled(decided(name, result), requestId);
  }

  DecideDueResponse decideDue(DecideDueRequest request) {
    int count = request.getNamesCount();
    InvalidField.require(count >= 1 && count <= MOST_DECIDED, "names", "must be 1 to 1,000");
    InvalidField.require(request.hasUpTo(), "up_to", "must be given");
    Instant upTo = RuleRequests.instant("up_to", request.getUpTo());
    List<ScheduleName> names = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      names.add(ScheduleRequests.name("names[" + i + "]", request.getNames(i)));
    }
    Map<ScheduleName, Standing> standings = new HashMap<>();
    edge.decideDue(names, upTo).forEach(one -> standings.put(one.name(), one));
    DecideDueResponse.Builder answer = DecideDueResponse.newBuilder();
    names.forEach(name -> answer.addSchedules(ScheduleAnswers.standing(name, standings.get(name))));
    return answer.build();
  }

  ListFiresResponse list(ListFiresRequest request) {
    Schedule schedule = schedules.find("name", request.getName());
    int size = Fields.pageSize(request.getPageSize());
    LedgerQuery query =
        new LedgerQuery(
            schedule.id(),
            request.hasFrom() ? RuleRequests.instant("from", request.getFrom()) : null,
            request.hasTo() ? before(RuleRequests.instant("to", request.getTo())) : null,
            FireAnswers.decisions(request.getDecisionsList()),
            FireAnswers.reasons(request.getReasonsList()),
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

  /** The store's bound is inclusive, ours is not. */
  private static Instant before(Instant end) {
    return end.minusNanos(1_000);
  }

  private static LedgerQuery.@Nullable Place place(String token) {
    if (token.isEmpty()) {
      return null;
    }
    String[] parts = token.split(":", 2);
    try {
      return new LedgerQuery.Place(
          EpochMicros.toInstant(Long.parseLong(parts[0])),
          ScheduleRequests.requestId(parts[parts.length - 1]));
    } catch (IllegalArgumentException | InvalidField _) {
      throw new InvalidField("page_token", "must come from the answer to the same question");
    }
  }

  ExplainScheduleResponse explain(ExplainScheduleRequest request) {
    Schedule schedule = schedules.find("name", request.getName());
    Optional<TimeRule> rule = StoredSchedules.rule(schedule);
    if (rule.isEmpty()) {
      return ExplainScheduleResponse.newBuilder().setExplanation(Explaining.UNREADABLE).build();
    }
    Explaining explaining =
        new Explaining(schedule, rule.get(), schedules.calendars(rule.get()), edge.now());
    if (!request.hasAt()) {
      return explaining.atPresent();
    }
    Instant at = RuleRequests.instant("at", request.getAt());
    List<LedgerEntry> before = new ArrayList<>(decisions(schedule, at.plusSeconds(1), Set.of()));
    before.addAll(decisions(schedule, at, OF_RANGES));
    ExplainScheduleResponse answer = explaining.at(at, before);
    String run = answer.getFire().getExecutionId();
    return run.isEmpty() ? answer : withTask(answer, run);
  }

  /** The latest up to then. */
  private List<LedgerEntry> decisions(Schedule schedule, Instant to, Set<Reason> reasons) {
    return edge.fires(
        new LedgerQuery(schedule.id(), null, to, Set.of(), reasons, null, MOST_LOOKED_AT));
  }

  private ExplainScheduleResponse withTask(ExplainScheduleResponse answer, String run) {
    ExplainScheduleResponse.Builder more = answer.toBuilder();
    tasks
        .find(new TaskId(UUID.fromString(run)))
        .ifPresent(task -> more.setTaskState(TaskAnswers.state(task.state())));
    return more.build();
  }
}
