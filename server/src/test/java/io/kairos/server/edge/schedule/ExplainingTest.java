package io.kairos.server.edge.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.domain.schedule.Bounds;
import io.kairos.domain.schedule.Pattern;
import io.kairos.domain.schedule.Spread;
import io.kairos.domain.schedule.Terms;
import io.kairos.domain.schedule.TimeRule;
import io.kairos.domain.schedule.WallClock;
import io.kairos.domain.schedule.calendar.BusinessCalendar;
import io.kairos.domain.schedule.calendar.CalendarName;
import io.kairos.domain.schedule.calendar.CalendarUse;
import io.kairos.domain.schedule.cron.CronSyntax;
import io.kairos.domain.schedule.fire.DecidedBy;
import io.kairos.domain.schedule.fire.Definition;
import io.kairos.domain.schedule.fire.Policies;
import io.kairos.domain.schedule.fire.Progress;
import io.kairos.domain.schedule.fire.Rule;
import io.kairos.domain.schedule.fire.Schedule;
import io.kairos.domain.schedule.fire.ScheduleId;
import io.kairos.domain.schedule.fire.ScheduleName;
import io.kairos.domain.schedule.fire.Status;
import io.kairos.domain.schedule.fire.Target;
import io.kairos.domain.task.HandlerName;
import io.kairos.domain.task.QueueName;
import io.kairos.domain.task.TaskDetails;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class ExplainingTest {
  private static final Instant CREATED = Instant.parse("2030-01-01T00:00:00Z");
  private static final Instant NOW = Instant.parse("2030-01-10T00:00:00Z");
  private static final CalendarName WORK = new CalendarName("work");

  /** About a fire time that has passed and of which the ledger says nothing. */
  private static String why(List<CalendarUse> calendars) {
    return why(calendars, Policies.DEFAULT, NOW);
  }

  private static String why(List<CalendarUse> calendars, Policies policies, Instant decidedTo) {
    Progress decided =
        new Progress(Status.ACTIVE, "", CREATED, decidedTo, NOW.plusSeconds(60), 0, null);
    Schedule schedule =
        new Schedule(
            new ScheduleId(new UUID(1, 2)),
            new ScheduleName("nightly"),
            new Definition(
                Rule.of(Rule.Kind.CRON, "0 9 * * *"),
                Bounds.NONE,
                Spread.NONE,
                new Target.Handler(
                    new QueueName(new HandlerName("report"), QueueName.DEFAULT),
                    TaskDetails.of(new byte[0])),
                policies),
            1,
            CREATED,
            CREATED,
            decided);
    TimeRule rule =
        new TimeRule.Planned(
            Pattern.parse("0 9 * * *", CronSyntax.UNIX, "", CREATED),
            new Terms(WallClock.in(ZoneOffset.UTC), calendars, Bounds.NONE, Spread.NONE));
    Map<CalendarName, BusinessCalendar> open =
        Map.of(WORK, BusinessCalendar.workdaysWithout(Set.of()));
    return new Explaining(schedule, rule, open, NOW)
        .at(Instant.parse("2030-01-04T09:00:00Z"), List.of())
        .getExplanation();
  }

  @Test
  void what_the_ledger_says_nothing_of_was_pruned() {
    assertThat(why(List.of()))
        .isEqualTo("It was decided, and the decision has been pruned from the ledger.");
  }

  @Test
  void a_calendar_that_has_changed_may_have_left_it_out() {
    assertThat(why(List.of(new CalendarUse(WORK, CalendarUse.Kind.ONLY_DURING))))
        .endsWith("; or a calendar left it out then that has changed since.");
  }

  @Test
  void what_has_come_waits_for_whoever_decides_it() {
    Policies replicated = Policies.DEFAULT.with(DecidedBy.REPLICATED);

    assertThat(why(List.of(), Policies.DEFAULT, CREATED))
        .isEqualTo("It has come and is not decided yet: a node will do so as soon as it can.");
    assertThat(why(List.of(), replicated, CREATED))
        .isEqualTo(
            "It has come and is not decided yet. A replicated cron decides it, and all is decided"
                + " up to 2030-01-01T00:00:00Z; while no replica runs, it does not fire.");
  }
}
