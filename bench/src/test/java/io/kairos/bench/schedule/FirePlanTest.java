package io.kairos.bench.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kairos.domain.schedule.RuleBounds;
import io.kairos.domain.schedule.RunSpread;
import io.kairos.domain.schedule.definition.ScheduleRule;
import io.kairos.domain.schedule.fire.RuleTimetable;
import java.time.Instant;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class FirePlanTest {
  private static final Instant NOW = Instant.parse("2026-11-22T11:59:30Z");

  private final FirePlan minutes = FirePlan.after(NOW, 3, 4, FirePlan.Unit.MINUTE);

  @Test
  void the_first_round_is_the_next_whole_minute() {
    assertThat(minutes.at(0)).isEqualTo(Instant.parse("2026-11-22T12:00:00Z"));
    assertThat(minutes.roundOf(minutes.atMicros(5) - 1)).isEqualTo(4);
    assertThat(minutes.schedules()).isEqualTo(12);
  }

  @Test
  void fire_times_are_numbered_without_gaps() {
    Set<Long> numbers = new HashSet<>();
    for (int round = 0; round < 100; round++) {
      for (int sequence = 0; sequence < minutes.schedules(); sequence++) {
        minutes.index(sequence, minutes.atMicros(round)).ifPresent(numbers::add);
      }
    }

    assertThat(numbers).hasSize(minutes.fires(100)).allMatch(n -> n >= 0 && n < 300);
  }

  @Test
  void the_plan_says_what_the_expressions_say() {
    for (int sequence = 0; sequence < minutes.schedules(); sequence++) {
      RuleTimetable timetable = timetable(minutes.expression(sequence));
      Instant at = NOW;
      for (int i = 0; i < 50; i++) {
        at = timetable.next(at).orElseThrow();
        assertThat(minutes.index(sequence, at.getEpochSecond() * 1_000_000)).isPresent();
      }
      assertThat(at).isBefore(minutes.at(50 * 4));
    }
  }

  @Test
  void a_turn_as_long_as_a_field_is_a_plan_too() {
    FirePlan turns = FirePlan.after(NOW, 2, 60, FirePlan.Unit.SECOND);

    for (int sequence = 0; sequence < turns.schedules(); sequence++) {
      Instant at = timetable(turns.expression(sequence)).next(turns.at(-1)).orElseThrow();
      assertThat(turns.index(sequence, at.getEpochSecond() * 1_000_000)).isPresent();
      assertThat(at).isBefore(turns.at(60));
    }
  }

  @Test
  void every_second_is_a_plan_too() {
    FirePlan seconds = FirePlan.after(NOW, 2, 1, FirePlan.Unit.SECOND);

    assertThat(timetable(seconds.expression(1)).next(NOW)).contains(seconds.at(0));
    assertThat(seconds.index(1, seconds.atMicros(7))).hasValue(15);
  }

  private static RuleTimetable timetable(String expression) {
    return new RuleTimetable(
        ScheduleRule.of(ScheduleRule.Kind.CRON, expression)
            .read("", NOW, RuleBounds.NONE, RunSpread.NONE),
        Map.of());
  }

  @Test
  void what_is_no_fire_time_has_no_number() {
    assertThat(minutes.index(1, minutes.atMicros(0))).isEmpty();
    assertThat(minutes.index(0, minutes.atMicros(0) + 1)).isEmpty();
    assertThat(minutes.index(0, minutes.atMicros(-4))).isEmpty();
    assertThat(minutes.index(12, minutes.atMicros(0))).isEmpty();
  }

  @Test
  void turns_that_no_field_can_say_are_refused() {
    assertThatThrownBy(() -> new FirePlan(10, 7, FirePlan.Unit.MINUTE, 0))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
