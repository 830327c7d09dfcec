package io.kairos.server.edge.schedule;

import io.kairos.api.v1.BackfillScheduleResponse;
import io.kairos.api.v1.Calendar;
import io.kairos.api.v1.DecideDueResponse;
import io.kairos.api.v1.PlannedFire;
import io.kairos.api.v1.Schedule;
import io.kairos.domain.schedule.TimeRule;
import io.kairos.domain.schedule.calendar.BusinessCalendar;
import io.kairos.domain.schedule.calendar.CalendarName;
import io.kairos.domain.schedule.fire.CalendarText;
import io.kairos.domain.schedule.fire.LedgerEntry;
import io.kairos.domain.schedule.fire.Progress;
import io.kairos.domain.schedule.fire.ScheduleName;
import io.kairos.domain.schedule.fire.Status;
import io.kairos.engine.schedule.RunResult;
import io.kairos.engine.schedule.ScheduleEdge;
import io.kairos.engine.schedule.port.Standing;
import io.kairos.server.edge.task.TaskAnswers;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Stored schedules and calendars in the words of the wire. */
final class ScheduleAnswers {
  static final int SHOWN = 10;

  private ScheduleAnswers() {}

  /** What it sends and to whom in particular is for those who may read. */
  static Schedule forSubmitter(Schedule schedule) {
    Schedule.Builder answer = schedule.toBuilder();
    Schedule.Target.Builder target = answer.getTargetBuilder().clearPayload();
    if (target.hasTopic()) {
      target.getTopicBuilder().clearKey().clearHeaders();
    }
    if (target.hasPool()) {
      target.getPoolBuilder().clearHeaders();
    }
    return answer.build();
  }

  /** What is stored, without fires and description. */
  static Schedule.Builder schedule(io.kairos.domain.schedule.fire.Schedule schedule) {
    Progress progress = schedule.progress();
    Schedule.Builder wire =
        DefinitionAnswers.schedule(schedule.definition())
            .setName(schedule.name().value())
            .setState(
                switch (progress.status()) {
                  case ACTIVE -> Schedule.State.ACTIVE;
                  case PAUSED -> Schedule.State.PAUSED;
                  case ENDED -> Schedule.State.ENDED;
                })
            .setNote(progress.note())
            .setSince(TaskAnswers.timestamp(progress.since()))
            .setCreatedAt(TaskAnswers.timestamp(schedule.createdAt()))
            .setGeneration(schedule.generation())
            .setUid(schedule.id().toString());
    Instant next = progress.nextAt();
    if (next != null && progress.status() == Status.ACTIVE) {
      wire.setNextFireTime(TaskAnswers.timestamp(next));
    }
    Long maxRuns = schedule.definition().bounds().maxRuns();
    if (maxRuns != null) {
      wire.setRemainingRuns(Math.max(0, maxRuns - progress.runs()));
    }
    return wire;
  }

  /** The fire times that follow, as long as it fires. */
  static List<PlannedFire> next(
      io.kairos.domain.schedule.fire.Schedule schedule,
      TimeRule rule,
      Map<CalendarName, BusinessCalendar> calendars) {
    Progress progress = schedule.progress();
    Long maxRuns = schedule.definition().bounds().maxRuns();
    long left = maxRuns == null ? SHOWN : maxRuns - progress.runs();
    if (progress.status() != Status.ACTIVE || left < 1) {
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
   * Who decides a schedule, and when.
   *
   * @param standing null when there is no such schedule
   */
  static DecideDueResponse.Standing standing(ScheduleName name, @Nullable Standing standing) {
    DecideDueResponse.Standing.Builder wire =
        DecideDueResponse.Standing.newBuilder().setName(name.value());
    if (standing != null) {
      wire.setDecider(DefinitionAnswers.decider(standing.decider()));
      Instant next = standing.nextAt();
      if (next != null) {
        wire.setNextFireTime(TaskAnswers.timestamp(next));
      }
    }
    return wire.build();
  }

  static Calendar calendar(ScheduleEdge.Calendar calendar) {
    return Calendar.newBuilder()
        .setName(calendar.name().value())
        .setRules(CalendarText.of(calendar.calendar()).value())
        .setGeneration(calendar.generation())
        .build();
  }
}
