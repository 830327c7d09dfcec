package io.kairos.client;

import static io.kairos.api.text.GivenValue.ifGiven;

import io.kairos.api.text.ProtoTime;
import io.kairos.api.v1.ApplyScheduleResponse;
import io.kairos.api.v1.Calendar;
import io.kairos.api.v1.ExplainScheduleResponse;
import io.kairos.api.v1.ListFiresRequest;
import io.kairos.api.v1.PreviewScheduleResponse;
import io.kairos.api.v1.Schedule;
import io.kairos.api.v1.Task;
import io.kairos.client.schedule.BusinessCalendar;
import io.kairos.client.schedule.Explanation;
import io.kairos.client.schedule.Fire;
import io.kairos.client.schedule.FireQuery;
import io.kairos.client.schedule.PlannedFire;
import io.kairos.client.schedule.Preview;
import io.kairos.client.task.TaskId;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Maps between the API's messages about schedules and the client's types. */
final class ScheduleProtos {
  private ScheduleProtos() {}

  static ScheduleStatus status(Schedule wire) {
    @Nullable Long remaining = wire.hasRemainingRuns() ? wire.getRemainingRuns() : null;
    return new ScheduleStatus(
        ScheduleSpec.of(wire),
        TaskProtos.named(wire.getState(), ScheduleStatus.State.OTHER),
        wire.getNote(),
        ProtoTime.of(wire.getSince()),
        wire.getDescription(),
        TaskProtos.orNull(wire.hasNextFireTime(), wire.getNextFireTime()),
        wire.getNextFiresList().stream().map(ScheduleProtos::planned).toList(),
        wire.getLastFiresList().stream().map(ScheduleProtos::fire).toList(),
        remaining,
        ProtoTime.of(wire.getCreatedAt()),
        wire.getGeneration(),
        wire.getUid());
  }

  static PlannedFire planned(io.kairos.api.v1.PlannedFire wire) {
    return new PlannedFire(
        ProtoTime.of(wire.getFireTime()),
        wire.getLocalTime(),
        ProtoTime.of(wire.getRunAt()),
        reason(wire.getSkipped()),
        wire.getMovedFrom().isEmpty() ? null : wire.getMovedFrom());
  }

  static Fire fire(io.kairos.api.v1.Fire wire) {
    @Nullable Long count = wire.hasCount() ? wire.getCount() : null;
    return new Fire(
        ProtoTime.of(wire.getFireTime()),
        TaskProtos.orNull(wire.hasUntil(), wire.getUntil()),
        count,
        TaskProtos.named(wire.getDecision(), Fire.Decision.OTHER),
        reason(wire.getReason()),
        TaskProtos.named(wire.getCause(), Fire.Cause.OTHER),
        wire.getRequestId(),
        ProtoTime.of(wire.getDecidedAt()),
        ProtoTime.of(wire.getLate()),
        ProtoTime.of(wire.getRunAt()),
        wire.getExecutionId().isEmpty() ? null : TaskId.of(wire.getExecutionId()),
        wire.getExplanation());
  }

  private static Fire.@Nullable Reason reason(io.kairos.api.v1.Fire.Reason wire) {
    return wire == io.kairos.api.v1.Fire.Reason.REASON_UNSPECIFIED
        ? null
        : TaskProtos.named(wire, Fire.Reason.OTHER);
  }

  static AppliedSchedule applied(ApplyScheduleResponse wire, UnaryOperator<Schedule> decryption) {
    return new AppliedSchedule(
        TaskProtos.named(wire.getOutcome(), AppliedSchedule.Outcome.OTHER),
        status(decryption.apply(wire.getSchedule())),
        wire.getChangesList().stream()
            .map(one -> new AppliedSchedule.Change(one.getField(), one.getBefore(), one.getAfter()))
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
            : TaskProtos.state(wire.getTaskState()),
        TaskProtos.orNull(wire.hasFireTimeBefore(), wire.getFireTimeBefore()),
        TaskProtos.orNull(wire.hasFireTimeAfter(), wire.getFireTimeAfter()));
  }

  static BusinessCalendar calendar(Calendar wire) {
    return new BusinessCalendar(wire.getName(), wire.getRules(), wire.getGeneration());
  }

  static Calendar calendar(BusinessCalendar calendar) {
    return Calendar.newBuilder().setName(calendar.name()).setRules(calendar.rules()).build();
  }

  static ListFiresRequest.Builder request(FireQuery query) {
    ListFiresRequest.Builder request = ListFiresRequest.newBuilder().setName(query.schedule());
    ifGiven(query.from(), from -> request.setNotBefore(ProtoTime.of(from)));
    ifGiven(query.to(), to -> request.setBefore(ProtoTime.of(to)));
    query
        .decisions()
        .forEach(one -> request.addDecisions(io.kairos.api.v1.Fire.Decision.valueOf(one.name())));
    query
        .reasons()
        .forEach(one -> request.addReasons(io.kairos.api.v1.Fire.Reason.valueOf(one.name())));
    return request;
  }
}
