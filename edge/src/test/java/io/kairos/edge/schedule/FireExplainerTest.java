package io.kairos.edge.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.domain.schedule.RuleBounds;
import io.kairos.domain.schedule.RuleTerms;
import io.kairos.domain.schedule.RunSpread;
import io.kairos.domain.schedule.ScheduleClock;
import io.kairos.domain.schedule.TimePattern;
import io.kairos.domain.schedule.TimeRule;
import io.kairos.domain.schedule.calendar.CalendarName;
import io.kairos.domain.schedule.calendar.CalendarUse;
import io.kairos.domain.schedule.calendar.WorkingCalendar;
import io.kairos.domain.schedule.cron.CronSyntax;
import io.kairos.domain.schedule.definition.FirePolicies;
import io.kairos.domain.schedule.definition.FiringStatus;
import io.kairos.domain.schedule.definition.Schedule;
import io.kairos.domain.schedule.definition.ScheduleDecider;
import io.kairos.domain.schedule.definition.ScheduleDefinition;
import io.kairos.domain.schedule.definition.ScheduleId;
import io.kairos.domain.schedule.definition.ScheduleName;
import io.kairos.domain.schedule.definition.ScheduleProgress;
import io.kairos.domain.schedule.definition.ScheduleRule;
import io.kairos.domain.schedule.definition.ScheduleTarget;
import io.kairos.domain.task.TaskDetails;
import io.kairos.domain.task.queue.HandlerName;
import io.kairos.domain.task.queue.QueueName;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class FireExplainerTest {
  private static final Instant CREATED = Instant.parse("2030-01-01T00:00:00Z");
  private static final Instant NOW = Instant.parse("2030-01-10T00:00:00Z");
  private static final CalendarName WORK = new CalendarName("work");

  /** About a fire time that has passed and of which the ledger says nothing. */
  private static String why(List<CalendarUse> calendars) {
    return why(calendars, FirePolicies.DEFAULT, NOW);
  }

  private static String why(List<CalendarUse> calendars, FirePolicies policies, Instant decidedTo) {
    ScheduleProgress decided =
        new ScheduleProgress(
            FiringStatus.ACTIVE, "", CREATED, decidedTo, NOW.plusSeconds(60), 0, null);
    Schedule schedule =
        new Schedule(
            new ScheduleId(new UUID(1, 2)),
            new ScheduleName("nightly"),
            new ScheduleDefinition(
                ScheduleRule.of(ScheduleRule.Kind.CRON, "0 9 * * *"),
                RuleBounds.NONE,
                RunSpread.NONE,
                new ScheduleTarget.Handler(
                    new QueueName(new HandlerName("report"), QueueName.DEFAULT),
                    TaskDetails.of(new byte[0])),
                policies),
            1,
            CREATED,
            CREATED,
            decided);
    TimeRule rule =
        new TimeRule(
            TimePattern.parse("0 9 * * *", CronSyntax.UNIX, "", CREATED),
            new RuleTerms(
                ScheduleClock.in(ZoneOffset.UTC), calendars, RuleBounds.NONE, RunSpread.NONE));
    Map<CalendarName, WorkingCalendar> open =
        Map.of(WORK, WorkingCalendar.workdaysWithout(Set.of()));
    return new FireExplainer(schedule, rule, open, NOW)
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
    FirePolicies replicated = FirePolicies.DEFAULT.with(ScheduleDecider.REPLICATED);

    assertThat(why(List.of(), FirePolicies.DEFAULT, CREATED))
        .isEqualTo("It has come and is not decided yet: a node will do so as soon as it can.");
    assertThat(why(List.of(), replicated, CREATED))
        .isEqualTo(
            "It has come and is not decided yet. A replicated cron decides it, and all is decided"
                + " up to 2030-01-01T00:00:00Z; while no replica runs, it does not fire.");
  }
}
