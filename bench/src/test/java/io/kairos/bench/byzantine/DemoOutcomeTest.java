package io.kairos.bench.byzantine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class DemoOutcomeTest {
  private static final ClockError CLOCK = new ClockError(0, 1_200);
  private static final int THREE = ByzantineCluster.HOSTILE;
  private static final List<Integer> NAMED = List.of(ByzantineCluster.HOSTILE);

  /** All that an attack raises was counted by all three. */
  private static AttackRecord survived(Attack attack) {
    Map<String, Long> seen =
        attack.signs().isEmpty() ? Map.of() : Map.of(attack.signs().getFirst(), attack.least());
    return new AttackRecord(attack, 10, 100, 4, CLOCK, Collections.nCopies(THREE, seen));
  }

  private static DemoOutcome outcome(UnaryOperator<AttackRecord> of) {
    return new DemoOutcome(
        Arrays.stream(Attack.values()).map(DemoOutcomeTest::survived).map(of).toList(),
        true,
        50,
        0,
        Collections.nCopies(THREE, NAMED),
        Set.of("byzantine-demo/1-10-7", "byzantine-demo/1-10-12"),
        5);
  }

  private static final DemoOutcome GOOD = outcome(each -> each);

  @Test
  void what_survived_all_attacks_is_clean() {
    assertThat(GOOD.verdict().problems()).isEmpty();
    assertThat(GOOD.verdict().exitCode()).isZero();
  }

  @Test
  void a_hostile_replica_that_does_nothing_fails() {
    DemoOutcome idle =
        outcome(each ->
            new AttackRecord(
                each.attack(), 0, 100, 4, CLOCK, Collections.nCopies(THREE, Map.of())));

    assertThat(idle.verdict().exitCode()).isEqualTo(1);
    for (Attack attack : Attack.values()) {
      assertThat(idle.verdict().problems())
          .contains(attack + ": the hostile replica has done nothing of it");
      assertThat(idle.verdict().problems().contains(attack + ": fewer than two replicas"))
          .as(attack.name())
          .isNotEqualTo(attack.signs().isEmpty());
    }
  }

  @Test
  void a_table_that_stands_still_during_one_attack_fails() {
    assertThat(
            outcome(each ->
                    each.attack() == Attack.SILENT
                        ? new AttackRecord(each.attack(), 1, 0, 0, CLOCK, each.seen())
                        : each)
                .verdict()
                .problems())
        .isEqualTo("SILENT: no request was executed; SILENT: the table did not advance");
  }

  @Test
  void a_time_that_followed_a_wrong_clock_fails() {
    assertThat(
            outcome(each ->
                    each.attack() == Attack.WRONG_CLOCK
                        ? new AttackRecord(
                            each.attack(), 1, 1, 1, new ClockError(5_001, 0), each.seen())
                        : each)
                .verdict()
                .problems())
        .isEqualTo(
            "WRONG_CLOCK: agreed time was at most 5001 ms ahead of the clock, and 0 ms behind it");
  }

  @Test
  void unequal_digests_and_lost_requests_fail() {
    DemoOutcome worse =
        new DemoOutcome(
            GOOD.attacks(), false, 50, 2, GOOD.forkers(), GOOD.pushes(), GOOD.seconds());

    assertThat(worse.verdict().problems())
        .isEqualTo("the digests of the three are not equal; 2 acknowledged requests are lost");
  }

  @Test
  void all_three_have_to_name_the_forker_and_nobody_else() {
    for (List<List<Integer>> named :
        List.of(
            List.of(NAMED, NAMED),
            List.of(NAMED, NAMED, List.<Integer>of()),
            List.of(NAMED, NAMED, List.of(0, ByzantineCluster.HOSTILE)))) {
      assertThat(
              new DemoOutcome(GOOD.attacks(), true, 50, 0, named, GOOD.pushes(), GOOD.seconds())
                  .verdict()
                  .problems())
          .startsWith("the three name as forkers " + named);
    }
  }

  @Test
  void a_push_for_which_there_is_no_entry_or_no_time_fails() {
    for (Set<String> pushes :
        List.of(
            Set.of("byzantine-demo/1-11-7"),
            Set.of(
                "byzantine-demo/1-10-1",
                "byzantine-demo/1-10-2",
                "byzantine-demo/1-10-3",
                "byzantine-demo/1-10-4",
                "byzantine-demo/1-10-5"))) {
      assertThat(
              new DemoOutcome(GOOD.attacks(), true, 50, 0, GOOD.forkers(), pushes, 2)
                  .verdict()
                  .problems())
          .endsWith("some of which no entry asked for");
    }
  }
}
