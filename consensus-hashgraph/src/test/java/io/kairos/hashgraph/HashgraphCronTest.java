package io.kairos.hashgraph;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.hashgraph.HashgraphJudge.Broken;
import io.kairos.hashgraph.HashgraphSimulation.Given;
import io.kairos.hashgraph.HashgraphSimulation.Outcome;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The production cron on replicas of which up to f lie. The judge is told of every tick. */
class HashgraphCronTest {
  private static final int SEEDS = Boolean.getBoolean("kairos.long") ? 40 : 2;

  private static List<Outcome> run(Given given, int seeds) {
    return LongStream.rangeClosed(1, seeds)
        .mapToObj(seed -> HashgraphSimulation.run(seed, given))
        .toList();
  }

  private static void assertSound(Outcome outcome) {
    assertThat(outcome.broken()).as(outcome.report()).isEmpty();
    assertThat(outcome.evaluations()).as(outcome.report()).isGreaterThan(20);
  }

  /** Its clock dates its events, of which the log's time comes, and is in its ticks. */
  @Test
  void cc45_cc46_with_one_clock_forty_years_off_agreed_time_is_between_the_true_clocks() {
    List<Outcome> outcomes = run(Given.cronWith(Lie.WRONG_CLOCK, 1), SEEDS);

    assertThat(outcomes).allSatisfy(HashgraphCronTest::assertSound);
    assertThat(outcomes)
        .allSatisfy(each -> assertThat(each.reached()).containsKey(RareState.CLOCK_YEARS_OFF));
  }

  /** So that the judge is known to look. */
  @Test
  void with_more_clocks_off_than_may_lie_it_is_not() {
    assertThat(run(Given.cronWith(Lie.WRONG_CLOCK, 2), 4))
        .flatMap(each -> each.broken().stream().toList())
        .filteredOn(Broken.class::isInstance)
        .extracting(thrown -> ((Broken) thrown).rule)
        .containsAnyOf("no later than a true clock", "no earlier than a true clock");
  }

  @Test
  void cc16_cc_l3_ticks_go_on_while_one_forges() {
    cc16_cc_l3_ticks_go_on_while_one_lies(Lie.FORGES);
  }

  @ParameterizedTest // CC-16, CC-L3
  @EnumSource(
      value = Lie.class,
      names = {"FLOODS_TICKS", "SILENT", "FORKS", "REPLAYS"})
  @EnabledIfSystemProperty(
      named = "kairos.long",
      matches = "true",
      disabledReason = "the short run has these lies without cron, and floods below")
  void cc16_cc_l3_ticks_go_on_while_one_lies(Lie lie) {
    List<Outcome> outcomes = run(Given.cronWith(lie, 1), Math.max(1, SEEDS / 4));

    assertThat(outcomes).allSatisfy(HashgraphCronTest::assertSound);
  }

  @Test
  void cc_l3_a_flood_of_ticks_is_held_to_its_budget_by_every_replica() {
    List<Outcome> outcomes = run(Given.cronWith(Lie.FLOODS_TICKS, 1), SEEDS / 2);

    assertThat(outcomes).allSatisfy(HashgraphCronTest::assertSound);
    assertThat(outcomes)
        .allSatisfy(each -> assertThat(each.reached()).containsKey(RareState.REQUEST_SKIPPED));
  }

  @Test
  void clusters_with_liars_of_all_kinds_go_on() {
    assertThat(run(Given.CRON, SEEDS)).allSatisfy(HashgraphCronTest::assertSound);
  }
}
