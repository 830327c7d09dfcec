package io.kairos.bench.observe;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ArrivalLedgerTest {
  private static final long SECOND = 1_000_000;

  private final ArrivalLedger ledger = new ArrivalLedger(0, 10 * SECOND, 20 * SECOND);

  @Test
  void what_was_accepted_and_never_came_is_lost() {
    ledger.arrived(0, SECOND, SECOND, true);
    ledger.arrived(3, SECOND, SECOND, true);

    assertThat(ledger.missing(5, Set.of(4L)))
        .isEqualTo(new ArrivalLedger.Missing(2, List.of(1L, 2L)));
    assertThat(ledger.count().distinct()).isEqualTo(2);
  }

  @Test
  void what_came_again_is_a_duplicate_and_counts_once_for_lateness() {
    assertThat(ledger.arrived(0, 11 * SECOND, 11 * SECOND, true)).isFalse();
    assertThat(ledger.arrived(0, 11 * SECOND, 12 * SECOND, true)).isTrue();

    assertThat(ledger.count().duplicates()).isEqualTo(1);
    assertThat(ledger.lateness().count()).isEqualTo(1);
  }

  @Test
  void early_is_more_than_five_milliseconds_before_the_due_time() {
    ledger.arrived(0, SECOND, SECOND - 5_000, true);
    ledger.arrived(1, SECOND, SECOND - 5_001, true);

    assertThat(ledger.count().early()).isEqualTo(1);
    assertThat(ledger.count().mostEarly()).isEqualTo(Duration.ofNanos(5_001_000));
  }

  @Test // CH-46
  void lateness_is_absolute_and_counts_the_measured_part_by_due_time() {
    ledger.arrived(0, 10 * SECOND - 1, 11 * SECOND, true);
    ledger.arrived(1, 10 * SECOND, 10 * SECOND - 4_000, true);
    ledger.arrived(2, 20 * SECOND - 1, 30 * SECOND, true);
    ledger.arrived(3, 20 * SECOND, 30 * SECOND, true);

    LatenessSummary lateness = ledger.lateness();

    assertThat(lateness.count()).isEqualTo(2);
    assertThat(lateness.p50()).isBetween(3.99, 4.01);
    assertThat(lateness.max()).isBetween(9_990.0, 10_010.0);
    assertThat(ledger.secondP50P99P999().stream().map(second -> second.get(0)))
        .containsExactly(9, 10, 19, 20);
  }

  @Test
  void a_value_that_was_changed_is_counted() {
    ledger.arrived(0, SECOND, SECOND, false);

    assertThat(ledger.count().damaged()).isEqualTo(1);
  }

  @Test
  void sequence_numbers_far_apart_are_told_apart() {
    ledger.arrived(5_000_000, SECOND, SECOND, true);

    assertThat(ledger.arrived(5_000_000, SECOND, SECOND, true)).isTrue();
    assertThat(ledger.arrived(4_999_936, SECOND, SECOND, true)).isFalse();
  }
}
