package io.kairos.edge.schedule;

import static io.kairos.api.text.GivenValue.ifGiven;

import io.kairos.api.text.ProtoTime;
import io.kairos.api.v1.BackfillScheduleResponse;
import io.kairos.api.v1.Calendar;
import io.kairos.api.v1.DecideDueResponse;
import io.kairos.api.v1.PlannedFire;
import io.kairos.api.v1.Schedule;
import io.kairos.domain.schedule.TimeRule;
import io.kairos.domain.schedule.calendar.CalendarName;
import io.kairos.domain.schedule.calendar.CalendarText;
import io.kairos.domain.schedule.calendar.WorkingCalendar;
import io.kairos.domain.schedule.definition.FiringStatus;
import io.kairos.domain.schedule.definition.ScheduleName;
import io.kairos.domain.schedule.definition.ScheduleProgress;
import io.kairos.domain.schedule.fire.LedgerEntry;
import io.kairos.edge.call.EntityTag;
import io.kairos.edge.refusal.WireEnum;
import io.kairos.engine.schedule.RunResult;
import io.kairos.engine.schedule.port.NextDecision;
import io.kairos.engine.schedule.port.StoredCalendar;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes stored schedules and calendars as API messages. */
final class ScheduleAnswers {
  static final int SHOWN = 10;

  static final WireEnum<FiringStatus, Schedule.State> STATES =
      new WireEnum<>(FiringStatus.class, Schedule.State.class);

  private ScheduleAnswers() {}

  /**
   * The schedule for a caller that may submit: payload, headers, a topic's key and a pool's routing
   * key need the role READ.
   */
  static Schedule forSubmitter(Schedule schedule) {
    Schedule.Builder answer = schedule.toBuilder();
    forSubmitter(answer.getTargetBuilder());
    answer.getStepsBuilderList().forEach(step -> forSubmitter(step.getTargetBuilder()));
    return answer.build();
  }

  private static void forSubmitter(Schedule.Target.Builder target) {
    target.clearPayload();
    if (target.hasTopic()) {
      target.getTopicBuilder().clearKey().clearHeaders();
    }
    if (target.hasPool()) {
      target.getPoolBuilder().clearHeaders().clearRoutingKey();
    }
  }

  /** Writes a stored schedule, without fires and description. */
  static Schedule.Builder schedule(io.kairos.domain.schedule.definition.Schedule schedule) {
    ScheduleProgress progress = schedule.progress();
    Schedule.Builder wire =
        DefinitionAnswers.schedule(schedule.definition())
            .setName(schedule.name().value())
            .setState(STATES.write(progress.status()))
            .setNote(progress.note())
            .setSince(ProtoTime.of(progress.since()))
            .setCreatedAt(ProtoTime.of(schedule.createdAt()))
            .setGeneration(schedule.generation())
            .setUid(schedule.id().toString())
            .setEtag(tag(schedule));
    Instant next = progress.nextAt();
    if (next != null && progress.status() == FiringStatus.ACTIVE) {
      wire.setNextFireTime(ProtoTime.of(next));
    }
    ifGiven(
        schedule.definition().bounds().maxRuns(),
        most -> wire.setRemainingRuns(Math.max(0, most - progress.runs())));
    return wire;
  }

  /** Pauses, fires and the ends of runs are no changes of what callers set. */
  static String tag(io.kairos.domain.schedule.definition.Schedule schedule) {
    return EntityTag.of(
        Schedule.newBuilder()
            .setUid(schedule.id().toString())
            .setGeneration(schedule.generation())
            .build());
  }

  static String tag(StoredCalendar calendar) {
    return EntityTag.of(words(calendar).build());
  }

  /** The next fire times of an active schedule; empty for any other. */
  static List<PlannedFire> next(
      io.kairos.domain.schedule.definition.Schedule schedule,
      TimeRule rule,
      Map<CalendarName, WorkingCalendar> calendars) {
    ScheduleProgress progress = schedule.progress();
    Long maxRuns = schedule.definition().bounds().maxRuns();
    long left = maxRuns == null ? SHOWN : maxRuns - progress.runs();
    if (progress.status() != FiringStatus.ACTIVE || left < 1) {
      return List.of();
    }
    return FireAnswers.planned(
        rule,
        calendars,
        schedule.id().toString(),
        progress.decidedTo(),
        (int) Math.min(SHOWN, left));
  }

  static BackfillScheduleResponse backfilled(RunResult.Decided decided, String requestId) {
    long fired = decided.entries().stream().filter(LedgerEntry::isFired).count();
    long skipped = decided.entries().size() - fired;
    BackfillScheduleResponse.Builder answer =
        BackfillScheduleResponse.newBuilder().setRequestId(requestId);
    return decided.known()
        ? answer.setDuplicates(decided.entries().size()).build()
        : answer.setFired(fired).setSkipped(skipped).build();
  }

  /**
   * Writes who decides a schedule, and its next fire time.
   *
   * @param standing null when there is no such schedule
   */
  static DecideDueResponse.DecidedSchedule standing(
      ScheduleName name, @Nullable NextDecision standing) {
    DecideDueResponse.DecidedSchedule.Builder wire =
        DecideDueResponse.DecidedSchedule.newBuilder().setName(name.value());
    if (standing != null) {
      wire.setDecider(DefinitionAnswers.DECIDERS.write(standing.decider()));
      ifGiven(standing.nextAt(), next -> wire.setNextFireTime(ProtoTime.of(next)));
    }
    return wire.build();
  }

  static Calendar calendar(StoredCalendar calendar) {
    return words(calendar).setEtag(tag(calendar)).build();
  }

  private static Calendar.Builder words(StoredCalendar calendar) {
    return Calendar.newBuilder()
        .setName(calendar.name().value())
        .setRules(CalendarText.of(calendar.calendar()).value())
        .setGeneration(calendar.generation());
  }
}
