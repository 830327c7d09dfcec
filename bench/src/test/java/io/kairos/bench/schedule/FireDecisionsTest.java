package io.kairos.bench.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.bench.report.FigureList;
import io.kairos.bench.report.RunVerdict;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class FireDecisionsTest {
  private static final long LATE = 250_000;

  /** Two schedules that both fire at each of three minutes; the first is not measured. */
  private final FirePlan plan = FirePlan.after(Instant.EPOCH, 2, 1, FirePlan.Unit.MINUTE);

  private final FireDecisions decisions = new FireDecisions(plan, 1, 3);

  @Test
  void ph01_one_decision_for_each_fire_time_is_clean() {
    all();

    assertThat(verdict().isClean()).isTrue();
    assertThat(count("fired")).isEqualTo(6);
    assertThat(count("decided.count")).isEqualTo(4);
    assertThat(decisions.latestMillis(0, 2)).isEqualTo(250);
    assertThat(decisions.latestMillis(-5, -1)).isZero();
  }

  @Test
  void a_fire_time_without_a_decision_is_lost() {
    fired(0, 0);

    assertThat(count("undecided")).isEqualTo(5);
    assertThat(verdict().isVoid()).isTrue();
  }

  @Test
  void a_second_decision_is_doubled_also_when_a_range_covers_it() {
    all();
    decisions.add(
        new FireDecisions.Entry(
            1, plan.atMicros(1), plan.atMicros(2), false, plan.atMicros(3), false));

    assertThat(count("twice")).isEqualTo(2);
    assertThat(count("skipped")).isEqualTo(2);
    assertThat(verdict().isVoid()).isTrue();
  }

  @Test
  void a_decision_on_what_the_rule_does_not_name_is_void() {
    all();
    decisions.add(
        new FireDecisions.Entry(
            0, plan.atMicros(1) + 1, plan.atMicros(1) + 1, true, plan.atMicros(2), true));

    assertThat(count("unexpected")).isEqualTo(1);
    assertThat(verdict().isVoid()).isTrue();
  }

  @Test
  void a_skipped_range_decides_every_fire_time_in_it() {
    fired(0, 0);
    fired(0, 1);
    fired(0, 2);
    decisions.add(
        new FireDecisions.Entry(
            1, plan.atMicros(0), plan.atMicros(2), false, plan.atMicros(3), false));

    assertThat(count("undecided")).isZero();
    assertThat(count("skipped")).isEqualTo(3);
    assertThat(verdict().isVoid()).isFalse();
    assertThat(verdict().isClean()).isFalse();
  }

  @Test
  void what_fired_early_or_made_no_task_is_told() {
    long at = plan.atMicros(0);
    decisions.add(new FireDecisions.Entry(0, at, at, true, at - 1, true));
    decisions.add(new FireDecisions.Entry(1, at, at, true, at, false));

    assertThat(count("early")).isEqualTo(1);
    assertThat(count("withoutTask")).isEqualTo(1);
  }

  private double count(String key) {
    FigureList figures = new FigureList();
    decisions.report(figures, new RunVerdict());
    return figures.number("ledger." + key);
  }

  private RunVerdict verdict() {
    RunVerdict verdict = new RunVerdict();
    decisions.report(new FigureList(), verdict);
    return verdict;
  }

  private void all() {
    for (int round = 0; round < 3; round++) {
      fired(0, round);
      fired(1, round);
    }
  }

  private void fired(int sequence, int round) {
    long at = plan.atMicros(round);
    decisions.add(new FireDecisions.Entry(sequence, at, at, true, at + LATE, true));
  }
}
