package io.kairos.domain.schedule.fire;

import static io.kairos.domain.schedule.fire.Schedules.CREATED;
import static io.kairos.domain.schedule.fire.Schedules.at;
import static io.kairos.domain.schedule.fire.Schedules.begun;
import static io.kairos.domain.schedule.fire.Schedules.cron;
import static io.kairos.domain.schedule.fire.Schedules.definition;
import static io.kairos.domain.schedule.fire.Schedules.every;
import static io.kairos.domain.schedule.fire.Schedules.timetable;
import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.domain.schedule.ClockGap;
import io.kairos.domain.schedule.ClockOverlap;
import io.kairos.domain.schedule.RuleBounds;
import io.kairos.domain.schedule.RunSpread;
import io.kairos.domain.schedule.cron.CronDialect;
import io.kairos.domain.schedule.cron.DayMatch;
import io.kairos.domain.schedule.definition.CatchUpPolicy;
import io.kairos.domain.schedule.definition.FirePolicies;
import io.kairos.domain.schedule.definition.FiringStatus;
import io.kairos.domain.schedule.definition.OverlapPolicy;
import io.kairos.domain.schedule.definition.Schedule;
import io.kairos.domain.schedule.definition.ScheduleDecider;
import io.kairos.domain.schedule.definition.ScheduleDefinition;
import io.kairos.domain.schedule.definition.ScheduleRule;
import io.kairos.domain.schedule.definition.ScheduleStep;
import io.kairos.domain.schedule.definition.ScheduleTarget;
import io.kairos.domain.task.TaskState;
import io.kairos.domain.task.graph.OnFailure;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PastFireDecisionsTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final FirePolicies ALL =
      FirePolicies.DEFAULT
          .with(OverlapPolicy.ALLOW_ALL)
          .with(new CatchUpPolicy(CatchUpPolicy.Mode.ALL, Duration.ofHours(1), 5));

  @Test
  void ph12_a_new_schedule_fires_nothing_and_knows_its_next_fire_time() {
    Schedule schedule = begun(every(MINUTE, FirePolicies.DEFAULT));

    assertThat(schedule.progress().nextAt()).isEqualTo(CREATED.plus(MINUTE));
    assertThat(PastFireDecisions.decide(at(schedule, CREATED, 0)).entries()).isEmpty();
  }

  @Test
  void ph13_fires_at_its_fire_time_and_goes_on_strictly_after_it() {
    Schedule schedule = begun(every(MINUTE, FirePolicies.DEFAULT));

    ScheduleDecision verdict = PastFireDecisions.decide(at(schedule, CREATED.plus(MINUTE), 0));

    assertThat(says(verdict)).containsExactly("FIRED 00:01:00");
    assertThat(verdict.after().progress().nextAt()).isEqualTo(CREATED.plus(MINUTE.multipliedBy(2)));
    assertThat(verdict.entries().getFirst().run())
        .isEqualTo(ExecutionIds.of(Schedules.ID, CREATED.plus(MINUTE), ""));
  }

  @Test
  void decided_a_second_time_at_the_same_moment_fires_nothing() {
    Schedule schedule = begun(every(MINUTE, FirePolicies.DEFAULT));
    ScheduleDecision first = PastFireDecisions.decide(at(schedule, CREATED.plus(MINUTE), 0));

    assertThat(PastFireDecisions.decide(at(first.after(), CREATED.plus(MINUTE), 0)).entries())
        .isEmpty();
  }

  /** PH-14: several missed matches collapse, unless the schedule says otherwise. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          NONE   | PT24H | 5 | PT10M30S | SKIPPED 00:01:00-00:10:00 CATCH_UP_NONE
          LATEST | PT24H | 5 | PT10M30S | SKIPPED 00:01:00-00:09:00 SUPERSEDED, FIRED 00:10:00
          LATEST | PT24H | 5 | PT10M5S  | SKIPPED 00:01:00-00:09:00 SUPERSEDED, FIRED 00:10:00
          NONE   | PT24H | 5 | PT10M5S  | SKIPPED 00:01:00-00:09:00 CATCH_UP_NONE, FIRED 00:10:00
          LATEST | PT20S | 5 | PT10M30S | SKIPPED 00:01:00-00:10:00 OUTSIDE_WINDOW
          ALL    | PT24H | 2 | PT4M30S  | SKIPPED 00:01:00-00:02:00 CAP, FIRED 00:03:00, FIRED 00:04:00
          ALL    | PT2M  | 9 | PT4M30S  | SKIPPED 00:01:00-00:02:00 OUTSIDE_WINDOW, FIRED 00:03:00, FIRED 00:04:00
          ALL    | PT3M  | 1 | PT4M30S  | SKIPPED 00:01:00 OUTSIDE_WINDOW, SKIPPED 00:02:00-00:03:00 CAP, FIRED 00:04:00
          ALL    | PT24H | 9 | PT2M5S   | FIRED 00:01:00, FIRED 00:02:00
          ALL    | PT0S  | 9 | PT4M5S   | SKIPPED 00:01:00-00:03:00 OUTSIDE_WINDOW, FIRED 00:04:00
          LATEST | PT0S  | 9 | PT4M30S  | SKIPPED 00:01:00-00:04:00 OUTSIDE_WINDOW
          """)
  void ph14_makes_up_for_what_was_missed_as_it_says(
      CatchUpPolicy.Mode mode, Duration window, int max, Duration away, String expected) {
    FirePolicies policies =
        FirePolicies.DEFAULT
            .with(OverlapPolicy.ALLOW_ALL)
            .with(new CatchUpPolicy(mode, window, max));

    ScheduleDecision verdict =
        PastFireDecisions.decide(at(begun(every(MINUTE, policies)), CREATED.plus(away), 0));

    assertThat(String.join(", ", says(verdict))).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({
    "SKIP, 0, FIRED 00:01:00, false",
    "SKIP, 1, SKIPPED 00:01:00 OVERLAP, false",
    "BUFFER_ONE, 1, FIRED 00:01:00, false",
    "BUFFER_ONE, 2, SKIPPED 00:01:00 BUFFER_FULL, false",
    "BUFFER_ALL, 50, FIRED 00:01:00, false",
    "CANCEL_OTHER, 0, FIRED 00:01:00, false",
    "CANCEL_OTHER, 2, FIRED 00:01:00, true",
    "ALLOW_ALL, 50, FIRED 00:01:00, false"
  })
  void runs_that_have_not_ended_hinder_as_the_policy_says(
      OverlapPolicy overlap, int unfinished, String expected, boolean cancels) {
    Schedule schedule = begun(every(MINUTE, FirePolicies.DEFAULT.with(overlap)));

    ScheduleDecision verdict =
        PastFireDecisions.decide(at(schedule, CREATED.plus(MINUTE), unfinished));

    assertThat(says(verdict)).containsExactly(expected);
    assertThat(verdict.cancelsOthers()).isEqualTo(cancels);
  }

  @Test
  void what_is_made_up_for_overlaps_itself() {
    FirePolicies policies = ALL.with(OverlapPolicy.SKIP);

    ScheduleDecision verdict =
        PastFireDecisions.decide(at(begun(every(MINUTE, policies)), CREATED.plusSeconds(150), 0));

    assertThat(says(verdict)).containsExactly("FIRED 00:01:00", "SKIPPED 00:02:00 OVERLAP");
  }

  @Test
  void runs_that_cancel_each_other_are_made_once() {
    FirePolicies policies = ALL.with(OverlapPolicy.CANCEL_OTHER);

    ScheduleDecision verdict =
        PastFireDecisions.decide(at(begun(every(MINUTE, policies)), CREATED.plusSeconds(150), 3));

    assertThat(says(verdict)).containsExactly("SKIPPED 00:01:00 SUPERSEDED", "FIRED 00:02:00");
    assertThat(verdict.cancelsOthers()).isTrue();
  }

  /** C5: the 100 missed starts of Kubernetes, after a thousand years of every second. */
  @Test
  void c5_work_is_bounded_after_an_outage_of_any_length() {
    int[] asked = {0};
    ScheduleDefinition definition = every(Duration.ofSeconds(1), ALL);
    Timetable rule = Schedules.timetable(definition);
    Timetable counting =
        after -> {
          asked[0]++;
          return rule.next(after);
        };
    Instant now = CREATED.plus(Duration.ofDays(365_000)).plusMillis(500);

    ScheduleDecision verdict =
        PastFireDecisions.decide(new DecisionInput(begun(definition), counting, 0, null, now));

    assertThat(verdict.entries().stream().filter(LedgerEntry::isFired)).hasSize(5 + 10);
    assertThat(verdict.entries()).hasSize(2 + 5 + 10);
    assertThat(asked[0]).isLessThan(3_000);
  }

  /** C5 in bytes: what is made up for is in memory, and in one transaction. */
  @Test
  void c5_fires_at_once_no_more_than_some_megabytes() {
    ScheduleDefinition heavy =
        definition(ScheduleRule.of(ScheduleRule.Kind.EVERY, "PT1M"), ALL, new byte[8 << 20]);
    Instant now = CREATED.plusSeconds(5 * 60 + 30);

    ScheduleDecision first = PastFireDecisions.decide(at(begun(heavy), now, 0));
    ScheduleDecision second = PastFireDecisions.decide(at(first.after(), now, 2));
    ScheduleDecision third = PastFireDecisions.decide(at(second.after(), now, 4));

    assertThat(says(first)).containsExactly("FIRED 00:01:00", "FIRED 00:02:00");
    assertThat(first.after().progress().decidedTo()).isEqualTo(CREATED.plusSeconds(120));
    assertThat(first.after().progress().nextAt()).isEqualTo(CREATED.plusSeconds(180));
    assertThat(says(second)).containsExactly("FIRED 00:03:00", "FIRED 00:04:00");
    assertThat(says(third)).containsExactly("FIRED 00:05:00");
    assertThat(third.after().progress().decidedTo()).isEqualTo(now);
  }

  private static ScheduleDefinition twice() {
    return new ScheduleDefinition(
        ScheduleRule.of(ScheduleRule.Kind.EVERY, "PT1M"),
        new RuleBounds(null, null, 2L),
        RunSpread.NONE,
        every(MINUTE, ALL).target(),
        ALL);
  }

  @Test
  void what_is_left_out_behind_the_last_run_is_not_noted() {
    Instant before = CREATED.plusSeconds(90);
    Instant behind = CREATED.plusSeconds(150);
    Timetable minutes = timetable(twice());
    Timetable leavingOut =
        new Timetable() {
          @Override
          public Optional<Instant> next(Instant after) {
            return minutes.next(after);
          }

          @Override
          public List<LeftOut> leftOut(Instant after, Instant to, int limit) {
            return Stream.of(before, behind)
                .map(at -> new LeftOut(at, at, SkipCause.CALENDAR))
                .toList();
          }
        };

    ScheduleDecision verdict =
        PastFireDecisions.decide(
            new DecisionInput(begun(twice()), leavingOut, 0, null, CREATED.plusSeconds(200)));

    assertThat(says(verdict))
        .containsExactly("FIRED 00:01:00", "SKIPPED 00:01:30 CALENDAR", "FIRED 00:02:00");
  }

  @Test
  void a_limited_number_of_runs_ends_the_schedule() {
    ScheduleDecision verdict =
        PastFireDecisions.decide(at(begun(twice()), CREATED.plusSeconds(200), 0));

    assertThat(says(verdict)).containsExactly("FIRED 00:01:00", "FIRED 00:02:00");
    assertThat(verdict.after().progress().status()).isEqualTo(FiringStatus.ENDED);
    assertThat(verdict.after().progress().nextAt()).isNull();
  }

  @Test
  void ph16_without_another_fire_time_it_has_ended() {
    ScheduleDefinition once =
        definition(
            ScheduleRule.of(ScheduleRule.Kind.AT, "2026-03-01T00:01:00Z"), FirePolicies.DEFAULT);

    ScheduleDecision verdict = PastFireDecisions.decide(at(begun(once), CREATED.plus(MINUTE), 0));

    assertThat(says(verdict)).containsExactly("FIRED 00:01:00");
    assertThat(verdict.after().progress().status()).isEqualTo(FiringStatus.ENDED);
  }

  @Test
  void a_schedule_that_would_never_fire_does_not_begin() {
    ScheduleDefinition past =
        definition(
            ScheduleRule.of(ScheduleRule.Kind.AT, "2020-03-01T00:01:00Z"), FirePolicies.DEFAULT);

    assertThat(
            ScheduleRevision.begin(
                Schedules.ID, Schedules.NAME, past, Schedules.timetable(past), CREATED))
        .isEmpty();
  }

  @Test
  void the_failure_of_the_last_run_pauses_a_schedule_that_asked_for_it() {
    FirePolicies policies =
        new FirePolicies(
            OverlapPolicy.SKIP, CatchUpPolicy.DEFAULT, null, true, ScheduleDecider.NODE);
    Schedule schedule = begun(every(MINUTE, policies));
    Schedule after = PastFireDecisions.decide(at(schedule, CREATED.plus(MINUTE), 0)).after();
    LastRun dead = Schedules.ended(TaskState.DEAD, CREATED.plusSeconds(61));

    ScheduleDecision verdict =
        PastFireDecisions.decide(at(after, CREATED.plusSeconds(120), 0, dead));

    assertThat(verdict.entries()).isEmpty();
    assertThat(verdict.after().progress().status()).isEqualTo(FiringStatus.PAUSED);
    assertThat(verdict.after().progress().note())
        .isEqualTo("paused: execution " + after.progress().lastRun() + " failed");
    Schedule resumed =
        ScheduleRevision.resume(at(verdict.after(), CREATED.plusSeconds(190), 0, dead)).after();
    assertThat(says(PastFireDecisions.decide(at(resumed, CREATED.plusSeconds(240), 0, null))))
        .containsExactly("FIRED 00:04:00");
  }

  @ParameterizedTest
  @CsvSource({
    "1, FAIL, 100",
    "9, FAIL, 100",
    "19, FAIL, 50",
    "100, FAIL, 9",
    "9, CONTINUE, 10",
    "100, CONTINUE, 2"
  })
  void runs_of_several_tasks_wait_while_they_are_not_too_many(
      int count, OnFailure onFailure, int most) {
    ScheduleDefinition plain = every(MINUTE, FirePolicies.DEFAULT.with(OverlapPolicy.BUFFER_ALL));
    ScheduleStep step =
        new ScheduleStep(
            (ScheduleTarget.Handler) plain.target(), List.of(new ScheduleStep.After(0, onFailure)));
    Schedule schedule =
        begun(
            new ScheduleDefinition(
                plain.rule(),
                plain.bounds(),
                plain.spread(),
                plain.target(),
                plain.policies(),
                Collections.nCopies(count, step)));

    assertThat(says(PastFireDecisions.decide(at(schedule, CREATED.plus(MINUTE), most - 1))))
        .containsExactly("FIRED 00:01:00");
    assertThat(says(PastFireDecisions.decide(at(schedule, CREATED.plus(MINUTE), most))))
        .containsExactly("SKIPPED 00:01:00 BUFFER_FULL");
  }

  @Test
  void a_failure_pauses_also_when_runs_are_longer_than_the_time_between_them() {
    FirePolicies policies =
        new FirePolicies(
            OverlapPolicy.BUFFER_ALL, CatchUpPolicy.DEFAULT, null, true, ScheduleDecider.NODE);
    Schedule first = fired(begun(every(MINUTE, policies)), 60, 0, null);
    Schedule second = fired(first, 120, 1, null);
    LastRun succeeded = Schedules.ended(TaskState.SUCCEEDED, CREATED.plusSeconds(130));
    Schedule third = fired(second, 180, 1, succeeded);
    LastRun dead = Schedules.ended(TaskState.DEAD, CREATED.plusSeconds(200));

    ScheduleDecision verdict =
        PastFireDecisions.decide(at(third, CREATED.plusSeconds(240), 1, dead));

    assertThat(second.progress().lastRun()).isEqualTo(first.progress().lastRun());
    assertThat(third.progress().lastRun()).isNotEqualTo(first.progress().lastRun());
    assertThat(third.progress().runs()).isEqualTo(3);
    assertThat(verdict.after().progress().status()).isEqualTo(FiringStatus.PAUSED);
  }

  private static Schedule fired(
      Schedule schedule, long seconds, int unfinished, @Nullable LastRun last) {
    ScheduleDecision verdict =
        PastFireDecisions.decide(at(schedule, CREATED.plusSeconds(seconds), unfinished, last));
    assertThat(verdict.entries()).hasSize(1).allMatch(LedgerEntry::isFired);
    return verdict.after();
  }

  @Test
  void a_clock_that_goes_back_fires_nothing_twice() {
    Schedule schedule = begun(every(MINUTE, ALL));
    Schedule ahead =
        PastFireDecisions.decide(at(schedule, CREATED.plus(Duration.ofHours(1)), 0)).after();

    ScheduleDecision back = PastFireDecisions.decide(at(ahead, CREATED.plusSeconds(90), 0));

    assertThat(back.entries()).isEmpty();
    assertThat(back.after().progress().decidedTo()).isEqualTo(ahead.progress().decidedTo());
    assertThat(back.after().progress().nextAt()).isEqualTo(CREATED.plus(Duration.ofMinutes(61)));
  }

  @Test
  void c2_local_times_that_daylight_saving_leaves_out_are_in_the_ledger() {
    ScheduleRule berlin =
        new ScheduleRule(
            ScheduleRule.Kind.CRON,
            "30 2 * * *",
            CronDialect.UNIX,
            DayMatch.EITHER,
            "Europe/Berlin",
            ClockGap.SKIP,
            ClockOverlap.FIRST,
            List.of());
    Schedule schedule = begun(definition(berlin, ALL));

    ScheduleDecision verdict =
        PastFireDecisions.decide(at(schedule, Instant.parse("2026-03-30T00:30:00Z"), 0));

    assertThat(says(verdict)).contains("SKIPPED 01:00:00 DST_GAP", "FIRED 00:30:00");
  }

  @Test
  void a_fixed_delay_counts_from_the_end_of_the_last_run() {
    ScheduleDefinition delay =
        definition(ScheduleRule.of(ScheduleRule.Kind.DELAY, "PT1M"), FirePolicies.DEFAULT);
    Schedule first = begun(delay);
    Instant firstAt = CREATED.plusSeconds(1);
    assertThat(first.progress().nextAt()).isEqualTo(firstAt);

    ScheduleDecision fired = PastFireDecisions.decide(at(first, firstAt, 0));
    ScheduleDecision running =
        PastFireDecisions.decide(at(fired.after(), CREATED.plusSeconds(61), 1));
    LastRun ended = Schedules.ended(TaskState.SUCCEEDED, CREATED.plusSeconds(70));
    ScheduleDecision planned =
        PastFireDecisions.decide(at(running.after(), CREATED.plusSeconds(121), 0, ended));
    ScheduleDecision again =
        PastFireDecisions.decide(at(planned.after(), CREATED.plusSeconds(130), 0, ended));

    assertThat(says(fired)).containsExactly("FIRED 00:00:01");
    assertThat(running.entries()).isEmpty();
    assertThat(running.after().progress().nextAt()).isEqualTo(CREATED.plusSeconds(121));
    assertThat(planned.entries()).isEmpty();
    assertThat(planned.after().progress().nextAt()).isEqualTo(CREATED.plusSeconds(130));
    assertThat(says(again)).containsExactly("FIRED 00:02:10");
  }

  @Test
  void a_run_that_somebody_asked_for_delays_a_fixed_delay_by_a_moment_only() {
    Duration tenDays = Duration.ofDays(10);
    ScheduleDefinition delay =
        definition(
            ScheduleRule.of(ScheduleRule.Kind.DELAY, tenDays.toString()), FirePolicies.DEFAULT);
    Schedule first = begun(delay);
    ScheduleDecision fired = PastFireDecisions.decide(at(first, CREATED.plusSeconds(1), 0));
    LastRun ended = Schedules.ended(TaskState.SUCCEEDED, CREATED.plusSeconds(70));
    Instant due = CREATED.plusSeconds(70).plus(tenDays);

    ScheduleDecision inTheWay = PastFireDecisions.decide(at(fired.after(), due, 1, ended));
    ScheduleDecision again =
        PastFireDecisions.decide(at(inTheWay.after(), due.plusSeconds(1), 0, ended));

    assertThat(inTheWay.entries()).isEmpty();
    assertThat(inTheWay.after().progress().nextAt()).isEqualTo(due.plusSeconds(1));
    assertThat(says(again)).containsExactly("FIRED 00:01:10");
  }

  @Test
  void the_spread_moves_the_run_and_not_the_fire_time() {
    ScheduleDefinition spread =
        new ScheduleDefinition(
            ScheduleRule.of(ScheduleRule.Kind.EVERY, "PT1M"),
            RuleBounds.NONE,
            new RunSpread(Duration.ofSeconds(30)),
            every(MINUTE, ALL).target(),
            ALL);

    LedgerEntry entry =
        PastFireDecisions.decide(at(begun(spread), CREATED.plus(MINUTE), 0)).entries().getFirst();

    assertThat(entry.fireAt()).isEqualTo(CREATED.plus(MINUTE));
    assertThat(entry.runAt()).isBetween(entry.fireAt(), entry.fireAt().plusSeconds(30));
    assertThat(entry.run()).isEqualTo(ExecutionIds.of(Schedules.ID, entry.fireAt(), ""));
  }

  @Test
  void a_cron_schedule_is_read_by_its_zone() {
    assertThat(begun(cron("5 4 * * *", ALL)).progress().nextAt())
        .isEqualTo(Instant.parse("2026-03-01T04:05:00Z"));
  }

  static List<String> says(ScheduleDecision verdict) {
    return verdict.entries().stream().map(PastFireDecisionsTest::say).toList();
  }

  private static String say(LedgerEntry entry) {
    String until = entry.until().equals(entry.fireAt()) ? "" : "-" + time(entry.until());
    String reason = entry.reason() == null ? "" : " " + entry.reason();
    return entry.decision() + " " + time(entry.fireAt()) + until + reason;
  }

  private static String time(Instant at) {
    String text = at.toString();
    return text.substring(11, 19);
  }
}
