package io.kairos.bench.byzantine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class AttackRecordTest {
  private static AttackRecord seen(
      Attack attack, Map<String, Long> first, Map<String, Long> second, Map<String, Long> third) {
    return new AttackRecord(attack, 1, 1, 1, ClockError.NONE_SEEN, List.of(first, second, third));
  }

  @Test
  void counts_grow_and_those_of_a_new_process_begin_with_zero() {
    assertThat(
            AttackRecord.growth(
                Map.of("fork", 7L, "stale", 5L, "ancient", 9L),
                Map.of("fork", 9L, "stale", 5L, "ancient", 2L, "malformed", 1L)))
        .isEqualTo(Map.of("fork", 2L, "ancient", 2L, "malformed", 1L));
  }

  @Test
  void two_of_three_have_to_notice_by_a_kind_that_the_truth_does_not_cause() {
    Map<String, Long> usual = Map.of("ancient", 100L);
    Map<String, Long> sign = Map.of("fork", 1L);

    assertThat(seen(Attack.FORKS, sign, usual, sign).isNoticed()).isTrue();
    assertThat(seen(Attack.FORKS, sign, usual, Map.of()).isNoticed()).isFalse();
    Map<String, Long> busy = Map.of("too_soon", 19L);
    assertThat(seen(Attack.REPLAYS, busy, busy, busy).isNoticed()).isFalse();
    assertThat(seen(Attack.SILENT, usual, usual, Map.of()).isNoticed()).isTrue();
  }

  @Test
  void the_signs_of_an_attack_are_shown_first() {
    AttackRecord record =
        seen(
            Attack.FORKS,
            Map.of("ancient", 100L, "fork", 1L, "bad_signature", 3L),
            Map.of(),
            Map.of());

    assertThat(record.seenBy(0)).isEqualTo("fork 1, ancient 100, bad signature 3");
    assertThat(record.seenBy(1)).isEqualTo("nothing");
  }
}
