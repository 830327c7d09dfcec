package io.kairos.bench.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.bench.report.FigureList;
import io.kairos.bench.report.RunVerdict;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class PlannedRunsTest {
  private static final long SCATTER = 400_000;
  private static final long LATE = 7_000;

  /**
   * A plan in which two of four schedules fire at each of three seconds; the first is not measured.
   */
  private final FirePlan plan = FirePlan.after(Instant.EPOCH, 2, 2, FirePlan.Unit.SECOND);

  private final PlannedRuns runs =
      new PlannedRuns(plan, (_, fireMicros) -> fireMicros + SCATTER, 1, 3);

  @Test
  void one_request_for_each_fire_time_is_clean_and_late_by_its_due_time() {
    all();

    assertThat(verdict(runs).isClean()).isTrue();
    assertThat(count(runs, "performed")).isEqualTo(6);
    assertThat(runs.ledger().lateness().count()).isEqualTo(4);
    assertThat(runs.ledger().lateness().max()).isBetween(6.9, 7.1);
    assertThat(runs.latestMillis(0, 2)).isEqualTo(7);
  }

  @Test
  void a_fire_time_that_does_not_come_is_lost_and_one_that_comes_again_is_doubled() {
    assertThat(count(runs, "lost")).isEqualTo(6);
    assertThat(verdict(runs).isVoid()).isTrue();

    all();
    arrived(firstOf(0), 0, LATE);

    assertThat(count(runs, "lost")).isZero();
    assertThat(count(runs, "again")).isEqualTo(1);
  }

  @Test
  void what_comes_before_it_is_due_is_early() {
    all();
    arrived(firstOf(3), 3, -LATE);
    assertThat(count(runs, "early")).isZero(); // after the last round that counts

    PlannedRuns hasty = new PlannedRuns(plan, (_, fireMicros) -> fireMicros + SCATTER, 1, 3);
    hasty.arrived(firstOf(0), plan.atMicros(0), plan.atMicros(0));
    assertThat(count(hasty, "early")).isEqualTo(1);
  }

  @Test
  void what_the_plan_does_not_name_is_told() {
    all();
    runs.arrived(firstOf(0), plan.atMicros(0) + 1, plan.atMicros(1));
    arrived(firstOf(1), 0, LATE);
    runs.notOfThePlan();

    assertThat(count(runs, "unexpected")).isEqualTo(3);
    assertThat(verdict(runs).isVoid()).isTrue();
  }

  private static double count(PlannedRuns of, String key) {
    FigureList figures = new FigureList();
    of.report(figures, new RunVerdict());
    return figures.number("runs." + key);
  }

  private static RunVerdict verdict(PlannedRuns of) {
    RunVerdict verdict = new RunVerdict();
    of.report(new FigureList(), verdict);
    return verdict;
  }

  private void all() {
    for (int round = 0; round < 3; round++) {
      arrived(firstOf(round), round, LATE);
      arrived(firstOf(round) + 2, round, LATE);
    }
  }

  /** The first schedule that fires in a round. */
  private int firstOf(int round) {
    return Math.floorMod(plan.first() + round, 2);
  }

  private void arrived(long sequence, int round, long lateMicros) {
    long at = plan.atMicros(round);
    runs.arrived(sequence, at, at + SCATTER + lateMicros);
  }
}
