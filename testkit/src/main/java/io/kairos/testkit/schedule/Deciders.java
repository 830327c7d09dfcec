package io.kairos.testkit.schedule;

import io.kairos.domain.delay.DelayedMessage;
import io.kairos.domain.delay.MessageId;
import io.kairos.domain.schedule.calendar.BusinessCalendar;
import io.kairos.domain.schedule.calendar.CalendarName;
import io.kairos.domain.schedule.fire.Deciding;
import io.kairos.domain.schedule.fire.LedgerEntry;
import io.kairos.domain.schedule.fire.RuleTimetable;
import io.kairos.domain.schedule.fire.Schedule;
import io.kairos.domain.schedule.fire.Situation;
import io.kairos.domain.schedule.fire.Target;
import io.kairos.domain.schedule.fire.Verdict;
import io.kairos.domain.task.OrderingKey;
import io.kairos.domain.task.TaskDetails;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.schedule.port.Deed;
import io.kairos.engine.schedule.port.Due;
import io.kairos.engine.task.port.Arrival;
import io.kairos.engine.task.port.NewTask;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Deciders for tests of stores: what a node would decide, without its memory. */
public final class Deciders {
  /** By which rules of time zones they decide. */
  public static final String TIME_ZONE_RULES = "those of the deciders";

  private Deciders() {}

  public static List<Deed> decide(List<Due> due, Instant now) {
    return due.stream().map(one -> deed(one, Deciding.decide(situation(one, now)))).toList();
  }

  public static Situation situation(Due due, Instant now) {
    Schedule schedule = due.schedule();
    Map<CalendarName, BusinessCalendar> calendars = new HashMap<>();
    due.calendars().forEach(one -> calendars.put(one.name(), one.text().read()));
    return new Situation(
        schedule,
        new RuleTimetable(
            schedule.definition().timeRule(schedule.name(), schedule.createdAt()), calendars),
        due.unfinished(),
        due.lastRun(),
        now);
  }

  /** What a verdict makes; tasks wait in the store. */
  public static Deed deed(Due due, Verdict verdict) {
    List<Arrival> tasks = new ArrayList<>();
    List<DelayedMessage> messages = new ArrayList<>();
    for (LedgerEntry entry : verdict.entries()) {
      TaskId run = entry.run();
      if (run != null) {
        long dueMicros = EpochMicros.of(Objects.requireNonNull(entry.runAt()));
        switch (due.schedule().definition().target()) {
          case Target.Handler handler -> tasks.add(task(due, handler, run, dueMicros));
          case Target.Topic topic ->
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
    return new Deed(verdict, tasks, messages, isLookedAt ? TIME_ZONE_RULES : null, false);
  }

  private static Arrival task(Due due, Target.Handler target, TaskId run, long dueMicros) {
    boolean inTurn = due.schedule().definition().policies().overlap().inTurn();
    return new Arrival(
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
