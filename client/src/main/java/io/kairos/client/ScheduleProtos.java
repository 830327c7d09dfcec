package io.kairos.client;

import io.kairos.api.v1.ApplyScheduleResponse;
import io.kairos.api.v1.Calendar;
import io.kairos.api.v1.ExplainScheduleResponse;
import io.kairos.api.v1.ListFiresRequest;
import io.kairos.api.v1.PreviewScheduleResponse;
import io.kairos.api.v1.Schedule;
import io.kairos.api.v1.Task;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Between the wire's types of schedules and ours. */
final class ScheduleProtos {
  private ScheduleProtos() {}

  static ScheduleStatus status(Schedule wire) {
    @Nullable Long remaining = wire.hasRemainingRuns() ? wire.getRemainingRuns() : null;
    return new ScheduleStatus(
        ScheduleSpec.of(wire),
        named(ScheduleStatus.State.values(), wire.getState(), ScheduleStatus.State.OTHER),
        wire.getNote(),
        Protos.instant(wire.getSince()),
        wire.getDescription(),
        Protos.orNull(wire.hasNextFireTime(), wire.getNextFireTime()),
        wire.getNextFiresList().stream().map(ScheduleProtos::planned).toList(),
        wire.getLastFiresList().stream().map(ScheduleProtos::fire).toList(),
        remaining,
        Protos.instant(wire.getCreatedAt()),
        wire.getGeneration(),
        wire.getUid());
  }

  static PlannedFire planned(io.kairos.api.v1.PlannedFire wire) {
    return new PlannedFire(
        Protos.instant(wire.getFireTime()),
        wire.getLocalTime(),
        Protos.instant(wire.getRunAt()),
        reason(wire.getSkipped()));
  }

  static Fire fire(io.kairos.api.v1.Fire wire) {
    @Nullable Long count = wire.hasCount() ? wire.getCount() : null;
    return new Fire(
        Protos.instant(wire.getFireTime()),
        Protos.orNull(wire.hasUntil(), wire.getUntil()),
        count,
        named(Fire.Decision.values(), wire.getDecision(), Fire.Decision.OTHER),
        reason(wire.getReason()),
        named(Fire.Cause.values(), wire.getCause(), Fire.Cause.OTHER),
        wire.getRequestId(),
        Protos.instant(wire.getDecidedAt()),
        Protos.duration(wire.getLate()),
        Protos.instant(wire.getRunAt()),
        wire.getExecutionId().isEmpty() ? null : TaskId.of(wire.getExecutionId()),
        wire.getExplanation());
  }

  private static Fire.@Nullable Reason reason(io.kairos.api.v1.Fire.Reason wire) {
    return wire == io.kairos.api.v1.Fire.Reason.REASON_UNSPECIFIED
        ? null
        : named(Fire.Reason.values(), wire, Fire.Reason.OTHER);
  }

  static Applied applied(ApplyScheduleResponse wire) {
    return new Applied(
        named(Applied.Outcome.values(), wire.getOutcome(), Applied.Outcome.OTHER),
        status(wire.getSchedule()),
        wire.getChangesList().stream()
            .map(one -> new Applied.Change(one.getField(), one.getBefore(), one.getAfter()))
            .toList());
  }

  static Preview preview(PreviewScheduleResponse wire) {
    return new Preview(
        wire.getDescription(), wire.getFiresList().stream().map(ScheduleProtos::planned).toList());
  }

  static Explanation explanation(ExplainScheduleResponse wire) {
    return new Explanation(
        wire.getExplanation(),
        wire.hasFire() ? fire(wire.getFire()) : null,
        wire.getTaskState() == Task.State.STATE_UNSPECIFIED
            ? null
            : Protos.state(wire.getTaskState()),
        Protos.orNull(wire.hasFireTimeBefore(), wire.getFireTimeBefore()),
        Protos.orNull(wire.hasFireTimeAfter(), wire.getFireTimeAfter()));
  }

  static BusinessCalendar calendar(Calendar wire) {
    return new BusinessCalendar(wire.getName(), wire.getRules(), wire.getGeneration());
  }

  static Calendar calendar(BusinessCalendar calendar) {
    return Calendar.newBuilder().setName(calendar.name()).setRules(calendar.rules()).build();
  }

  static ListFiresRequest.Builder request(FireQuery query) {
    ListFiresRequest.Builder request = ListFiresRequest.newBuilder().setName(query.schedule());
    Instant from = query.from();
    if (from != null) {
      request.setFrom(Protos.timestamp(from));
    }
    Instant to = query.to();
    if (to != null) {
      request.setTo(Protos.timestamp(to));
    }
    query
        .decisions()
        .forEach(one -> request.addDecisions(io.kairos.api.v1.Fire.Decision.valueOf(one.name())));
    query
        .reasons()
        .forEach(one -> request.addReasons(io.kairos.api.v1.Fire.Reason.valueOf(one.name())));
    return request;
  }

  /** Ours of the same name; what this version does not know is other. */
  private static <E extends Enum<E>> E named(E[] ours, Enum<?> wire, E other) {
    for (E one : ours) {
      if (one.name().equals(wire.name())) {
        return one;
      }
    }
    return other;
  }
}
