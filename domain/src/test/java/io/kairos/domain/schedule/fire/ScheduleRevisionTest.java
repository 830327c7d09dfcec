package io.kairos.domain.schedule.fire;

import static io.kairos.domain.schedule.fire.PastFireDecisionsTest.says;
import static io.kairos.domain.schedule.fire.Schedules.CREATED;
import static io.kairos.domain.schedule.fire.Schedules.at;
import static io.kairos.domain.schedule.fire.Schedules.begun;
import static io.kairos.domain.schedule.fire.Schedules.every;
import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.domain.schedule.definition.CatchUpPolicy;
import io.kairos.domain.schedule.definition.FirePolicies;
import io.kairos.domain.schedule.definition.FiringStatus;
import io.kairos.domain.schedule.definition.OverlapPolicy;
import io.kairos.domain.schedule.definition.Schedule;
import io.kairos.domain.schedule.definition.ScheduleDefinition;
import io.kairos.domain.schedule.definition.ScheduleRule;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ScheduleRevisionTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final FirePolicies ALL =
      FirePolicies.DEFAULT
          .with(OverlapPolicy.ALLOW_ALL)
          .with(new CatchUpPolicy(CatchUpPolicy.Mode.ALL, Duration.ofHours(1), 5));

  @Test // PH-8
  void ph20_what_passed_while_it_was_paused_is_skipped_when_it_is_resumed() {
    Schedule paused =
        ScheduleRevision.pause(at(begun(every(MINUTE, ALL)), CREATED.plusSeconds(30), 0), "for now")
            .after();

    ScheduleDecision resumed = ScheduleRevision.resume(at(paused, CREATED.plusSeconds(200), 0));

    assertThat(paused.progress().nextAt()).isNull();
    assertThat(paused.progress().note()).isEqualTo("for now");
    assertThat(says(resumed)).containsExactly("SKIPPED 00:01:00-00:03:00 PAUSED");
    assertThat(resumed.after().progress().status()).isEqualTo(FiringStatus.ACTIVE);
    assertThat(resumed.after().progress().nextAt()).isEqualTo(CREATED.plusSeconds(240));
  }

  @Test
  void ph19_what_cannot_be_read_is_paused_and_resumed_undecided() {
    Schedule begun = begun(every(MINUTE, ALL));

    ScheduleDecision paused = ScheduleRevision.pause(unreadable(begun, 200), "");
    ScheduleDecision resumed = ScheduleRevision.resume(unreadable(paused.after(), 300));
    ScheduleDecision deleted = ScheduleRevision.end(unreadable(begun, 200));

    assertThat(paused.entries()).isEmpty();
    assertThat(paused.after().progress().status()).isEqualTo(FiringStatus.PAUSED);
    assertThat(paused.after().progress().decidedTo()).isEqualTo(begun.progress().decidedTo());
    assertThat(says(resumed)).containsExactly("SKIPPED 00:00:00-00:05:00 PAUSED");
    assertThat(resumed.after().progress().status()).isEqualTo(FiringStatus.ACTIVE);
    assertThat(resumed.after().progress().nextAt()).isEqualTo(CREATED.plusSeconds(300));
    assertThat(deleted.entries()).isEmpty();
  }

  @Test
  void ph19_what_passed_while_it_could_not_be_read_is_decided_by_its_next_definition() {
    ScheduleDefinition definition = every(MINUTE, ALL);
    Schedule begun = begun(definition);

    ScheduleDecision edited =
        ScheduleRevision.edit(unreadable(begun, 200), definition, Schedules.timetable(definition));

    assertThat(edited.entries()).isEmpty();
    assertThat(edited.after().progress().nextAt()).isEqualTo(CREATED.plusSeconds(200));
    assertThat(says(PastFireDecisions.decide(at(edited.after(), CREATED.plusSeconds(200), 0))))
        .containsExactly("FIRED 00:01:00", "FIRED 00:02:00", "FIRED 00:03:00");
  }

  private static DecisionInput unreadable(Schedule schedule, long seconds) {
    return new DecisionInput(schedule, Timetable.UNKNOWN, 0, null, CREATED.plusSeconds(seconds));
  }

  @Test
  void what_was_due_is_decided_before_a_pause() {
    ScheduleDecision paused =
        ScheduleRevision.pause(at(begun(every(MINUTE, ALL)), CREATED.plusSeconds(65), 0), "");

    assertThat(says(paused)).containsExactly("FIRED 00:01:00");
    assertThat(paused.after().progress().status()).isEqualTo(FiringStatus.PAUSED);
  }

  @Test
  void ph15_an_edit_goes_by_the_old_rule_until_now_and_by_the_new_one_from_then_on() {
    ScheduleDefinition faster = every(Duration.ofSeconds(30), ALL);

    ScheduleDecision edited =
        ScheduleRevision.edit(
            at(begun(every(MINUTE, ALL)), CREATED.plusSeconds(65), 0),
            faster,
            Schedules.timetable(faster));

    assertThat(says(edited)).containsExactly("FIRED 00:01:00");
    assertThat(edited.after().generation()).isEqualTo(2);
    assertThat(edited.after().progress().nextAt()).isEqualTo(CREATED.plusSeconds(90));
  }

  @Test
  void ph15_an_edit_within_the_minute_of_a_fire_time_fires_it_once() {
    Schedule schedule = begun(every(MINUTE, ALL));
    Schedule fired = PastFireDecisions.decide(at(schedule, CREATED.plusSeconds(60), 0)).after();
    ScheduleDefinition same = every(MINUTE, ALL);

    Schedule edited =
        ScheduleRevision.edit(
                at(fired, CREATED.plusSeconds(60), 0), same, Schedules.timetable(same))
            .after();

    assertThat(edited.progress().nextAt()).isEqualTo(CREATED.plusSeconds(120));
  }

  @Test
  void an_ended_schedule_begins_anew_by_an_edit() {
    ScheduleDefinition once =
        Schedules.definition(ScheduleRule.of(ScheduleRule.Kind.AT, "2026-03-01T00:01:00Z"), ALL);
    Schedule ended = PastFireDecisions.decide(at(begun(once), CREATED.plus(MINUTE), 0)).after();
    ScheduleDefinition rate = every(MINUTE, ALL);

    ScheduleDecision edited =
        ScheduleRevision.edit(
            at(ended, CREATED.plusSeconds(600), 0), rate, Schedules.timetable(rate));

    assertThat(edited.entries()).isEmpty();
    assertThat(edited.after().progress().status()).isEqualTo(FiringStatus.ACTIVE);
    assertThat(edited.after().progress().nextAt()).isEqualTo(CREATED.plusSeconds(660));
  }

  @Test
  void a_run_that_is_asked_for_has_an_id_of_its_request_and_does_not_count() {
    Schedule schedule = begun(every(MINUTE, ALL));

    ScheduleDecision verdict =
        ScheduleRevision.trigger(
            at(schedule, CREATED.plusSeconds(7), 0), "r-1", OverlapPolicy.ALLOW_ALL);

    LedgerEntry entry = verdict.entries().getFirst();
    assertThat(entry.request()).isEqualTo("r-1");
    assertThat(entry.cause()).isEqualTo(FireCause.TRIGGER);
    assertThat(entry.run()).isEqualTo(ExecutionIds.of(Schedules.ID, CREATED.plusSeconds(7), "r-1"));
    assertThat(verdict.after()).isEqualTo(schedule);
  }

  @Test
  void a_backfill_runs_every_fire_time_of_its_range() {
    ScheduleDecision verdict =
        ScheduleRevision.backfill(
                at(begun(every(MINUTE, ALL)), CREATED.plusSeconds(900), 0),
                CREATED.plusSeconds(60),
                CREATED.plusSeconds(180),
                "b-1",
                OverlapPolicy.ALLOW_ALL)
            .orElseThrow();

    assertThat(says(verdict)).containsExactly("FIRED 00:01:00", "FIRED 00:02:00", "FIRED 00:03:00");
    assertThat(verdict.entries()).allMatch(entry -> CREATED.plusSeconds(900).equals(entry.runAt()));
  }

  @Test
  void what_is_too_much_for_one_look_is_not_made_up_for_when_it_is_paused() {
    ScheduleDefinition heavy =
        Schedules.definition(
            ScheduleRule.of(ScheduleRule.Kind.EVERY, "PT1M"), ALL, new byte[8 << 20]);

    ScheduleDecision paused =
        ScheduleRevision.pause(at(begun(heavy), CREATED.plusSeconds(5 * 60 + 30), 0), "");

    assertThat(says(paused))
        .containsExactly("FIRED 00:01:00", "FIRED 00:02:00", "SKIPPED 00:03:00-00:05:00 CAP");
    assertThat(paused.after().progress().decidedTo()).isEqualTo(CREATED.plusSeconds(5 * 60 + 30));
  }

  @Test
  void a_backfill_of_large_payloads_may_have_fewer_runs() {
    ScheduleDefinition heavy =
        Schedules.definition(
            ScheduleRule.of(ScheduleRule.Kind.EVERY, "PT1M"), ALL, new byte[8 << 20]);

    assertThat(ScheduleRevision.mostInBackfill(heavy, OverlapPolicy.BUFFER_ALL)).isEqualTo(2);
    assertThat(
            ScheduleRevision.backfill(
                at(begun(heavy), CREATED.plusSeconds(900), 0),
                CREATED.plusSeconds(60),
                CREATED.plusSeconds(180),
                "b-1",
                OverlapPolicy.ALLOW_ALL))
        .isEmpty();
  }

  @Test
  void a_backfill_that_is_too_large_runs_nothing() {
    assertThat(
            ScheduleRevision.backfill(
                at(begun(every(MINUTE, ALL)), CREATED.plus(Duration.ofDays(2)), 0),
                CREATED,
                CREATED.plus(Duration.ofDays(1)),
                "b-1",
                OverlapPolicy.ALLOW_ALL))
        .isEmpty();
  }

  /**
   * C1, C2 and that {@code decidedTo} only grows, over random lives: looks at random times,
   * outages, clocks that jump, pauses, edits. The rule is stepped by the test itself.
   */
  @ParameterizedTest // PH-2
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
  void c1_c2_every_fire_time_is_decided_exactly_once(long base) {
    for (long seed = base * 1_000; seed < base * 1_000 + 60; seed++) {
      live(seed);
    }
  }

  private static void live(long seed) {
    RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
    Schedule schedule = begun(definition(random));
    Instant now = CREATED;
    List<LedgerEntry> ledger = new ArrayList<>();
    NavigableSet<Instant> expected = new TreeSet<>();
    for (int i = 0; i < 60; i++) {
      now = now.plusMillis(step(random));
      DecisionInput situation = at(schedule, now, random.nextInt(3));
      Instant from = schedule.progress().decidedTo();
      ScheduleDecision verdict =
          switch (random.nextInt(12)) {
            case 0 -> ScheduleRevision.pause(situation, "");
            case 1, 2 -> ScheduleRevision.resume(situation);
            case 3 -> {
              ScheduleDefinition other = definition(random);
              yield ScheduleRevision.edit(situation, other, Schedules.timetable(other));
            }
            default -> PastFireDecisions.decide(situation);
          };
      Instant to = verdict.after().progress().decidedTo();
      assertThat(to).as("seed %s", seed).isAfterOrEqualTo(from);
      step(expected, schedule.definition(), from, to);
      ledger.addAll(verdict.entries());
      schedule = verdict.after();
    }
    check(seed, ledger, expected);
  }

  private static long step(RandomGenerator random) {
    return switch (random.nextInt(10)) {
      case 0 -> random.nextLong(3_600_000);
      case 1 -> random.nextLong(86_400_000);
      case 2 -> -random.nextLong(600_000);
      default -> random.nextLong(20_000);
    };
  }

  private static ScheduleDefinition definition(RandomGenerator random) {
    CatchUpPolicy.Mode[] modes = CatchUpPolicy.Mode.values();
    OverlapPolicy[] overlaps = OverlapPolicy.values();
    return every(
        Duration.ofSeconds(random.nextInt(1, 120)),
        FirePolicies.DEFAULT
            .with(overlaps[random.nextInt(overlaps.length)])
            .with(
                new CatchUpPolicy(
                    modes[random.nextInt(modes.length)],
                    Duration.ofSeconds(random.nextInt(7_200)),
                    random.nextInt(1, 20))));
  }

  /** The fire times in (from, to], counted out by the period from the creation on. */
  private static void step(
      Set<Instant> into, ScheduleDefinition definition, Instant from, Instant to) {
    long period = Duration.parse(definition.rule().text()).toMillis();
    long first = Math.floorDiv(from.toEpochMilli() - CREATED.toEpochMilli(), period) + 1;
    for (long at = CREATED.toEpochMilli() + first * period; at <= to.toEpochMilli(); at += period) {
      into.add(Instant.ofEpochMilli(at));
    }
  }

  private static void check(long seed, List<LedgerEntry> ledger, NavigableSet<Instant> expected) {
    Map<Instant, Integer> decided = new HashMap<>();
    for (LedgerEntry entry : ledger) {
      for (Instant at : expected.subSet(entry.fireAt(), true, entry.until(), true)) {
        decided.merge(at, 1, Integer::sum);
      }
    }
    assertThat(expected)
        .as("seed %s", seed)
        .filteredOn(at -> decided.getOrDefault(at, 0) != 1)
        .isEmpty();
    assertThat(ledger.stream().filter(LedgerEntry::isFired).map(LedgerEntry::fireAt))
        .as("seed %s", seed)
        .doesNotHaveDuplicates()
        .allMatch(expected::contains);
  }
}
