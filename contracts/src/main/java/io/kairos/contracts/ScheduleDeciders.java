package io.kairos.contracts;

import io.kairos.domain.delay.DelayedMessage;
import io.kairos.domain.delay.MessageId;
import io.kairos.domain.schedule.calendar.CalendarName;
import io.kairos.domain.schedule.calendar.WorkingCalendar;
import io.kairos.domain.schedule.definition.Schedule;
import io.kairos.domain.schedule.definition.ScheduleTarget;
import io.kairos.domain.schedule.fire.DecisionInput;
import io.kairos.domain.schedule.fire.LedgerEntry;
import io.kairos.domain.schedule.fire.PastFireDecisions;
import io.kairos.domain.schedule.fire.RuleTimetable;
import io.kairos.domain.schedule.fire.ScheduleDecision;
import io.kairos.domain.task.OrderingKey;
import io.kairos.domain.task.TaskDetails;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.graph.GraphEdge;
import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.schedule.RunSteps;
import io.kairos.engine.schedule.port.DueSchedule;
import io.kairos.engine.schedule.port.ScheduleWrite;
import io.kairos.engine.task.port.ArrivingTask;
import io.kairos.engine.task.port.NewTask;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Deciders for tests of stores, which decide like a node without a memory of tasks. */
public final class ScheduleDeciders {
  /** Version of the time zone rules of these deciders. */
  public static final String TIME_ZONE_RULES = "those of the deciders";

  private ScheduleDeciders() {}

  public static List<ScheduleWrite> decide(List<DueSchedule> due, Instant now) {
    return due.stream()
        .map(one -> writeOf(one, PastFireDecisions.decide(situation(one, now))))
        .toList();
  }

  public static DecisionInput situation(DueSchedule due, Instant now) {
    Schedule schedule = due.schedule();
    Map<CalendarName, WorkingCalendar> calendars = new HashMap<>();
    due.calendars().forEach(one -> calendars.put(one.name(), one.text().read()));
    return new DecisionInput(
        schedule,
        new RuleTimetable(
            schedule.definition().timeRule(schedule.name(), schedule.createdAt()), calendars),
        due.unfinished(),
        due.lastRun(),
        now);
  }

  /** The write of a decision; its tasks wait in the store. */
  public static ScheduleWrite writeOf(DueSchedule due, ScheduleDecision verdict) {
    List<ArrivingTask> tasks = new ArrayList<>();
    List<GraphEdge> edges = new ArrayList<>();
    List<DelayedMessage> messages = new ArrayList<>();
    for (LedgerEntry entry : verdict.entries()) {
      TaskId run = entry.run();
      if (run != null) {
        long dueMicros = EpochMicros.of(Objects.requireNonNull(entry.runAt()));
        switch (due.schedule().definition().target()) {
          case ScheduleTarget.Handler handler -> {
            tasks.add(task(due, handler, run, dueMicros));
            RunSteps steps = RunSteps.of(due, entry, null);
            tasks.addAll(steps.tasks());
            edges.addAll(steps.edges());
          }
          case ScheduleTarget.Topic topic ->
              messages.add(
                  new DelayedMessage(
                      topic.route(),
                      new MessageId(run.toString()),
                      dueMicros,
                      topic.topic(),
                      topic.headers(),
                      topic.key(),
                      topic.value()));
        }
      }
    }
    boolean isLookedAt = !verdict.after().progress().equals(due.schedule().progress());
    return new ScheduleWrite(
        verdict,
        tasks,
        edges,
        due.schedule().definition().policies().overlap().inTurn(),
        messages,
        isLookedAt ? TIME_ZONE_RULES : null,
        false);
  }

  private static ArrivingTask task(
      DueSchedule due, ScheduleTarget.Handler target, TaskId run, long dueMicros) {
    boolean inTurn = due.schedule().definition().policies().overlap().inTurn();
    return ArrivingTask.withoutIdempotency(
        new NewTask(
            run,
            Objects.requireNonNull(due.queue()),
            dueMicros,
            TaskDetails.of(target.details().payload())
                .withKey(
                    inTurn && target.details().key() == null
                        ? new OrderingKey("schedule:" + due.schedule().id())
                        : target.details().key()),
            due.schedule().id()),
        false);
  }
}
