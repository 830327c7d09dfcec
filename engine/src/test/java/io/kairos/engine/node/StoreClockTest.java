package io.kairos.engine.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.domain.time.EpochMicros;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

final class StoreClockTest {
  private static final Instant START = Instant.parse("2026-01-01T12:00:00Z");
  private static final long BOUND_MICROS = 500_000;

  private final StoreClock store = new StoreClock();

  /** Told in a round trip that began and ended at these milliseconds. */
  private void told(long storeMillis, long sentMillis, long receivedMillis) {
    store.told(START.plusMillis(storeMillis), sentMillis * 1_000_000, receivedMillis * 1_000_000);
  }

  private boolean agrees(long wallMillis, long nowMillis) {
    return store.agreesWith(
        EpochMicros.of(START.plusMillis(wallMillis)), nowMillis * 1_000_000, BOUND_MICROS);
  }

  @Test
  void nothing_is_believed_before_the_store_has_told_its_time() {
    assertThat(agrees(0, 0)).isFalse();
  }

  @Test // CH-21, CH-L6
  void a_clock_agrees_within_the_bound_on_both_sides() {
    told(1_000, 1_000, 1_000);

    assertThat(agrees(2_000, 2_000)).isTrue();
    assertThat(agrees(2_500, 2_000)).isTrue();
    assertThat(agrees(2_501, 2_000)).isFalse();
    assertThat(agrees(1_500, 2_000)).isTrue();
    assertThat(agrees(1_499, 2_000)).isFalse();
  }

  @Test
  void a_step_is_noticed_without_another_answer() {
    told(1_000, 1_000, 1_000);

    assertThat(agrees(Duration.ofHours(1).toMillis(), 1_100)).isFalse();
    assertThat(agrees(1_200, 1_200)).isTrue();
  }

  @Test
  void what_a_slow_answer_leaves_open_counts_against_a_clock_that_is_ahead() {
    told(1_000, 700, 1_300); // so it is between 1000 and 1600 now

    assertThat(agrees(1_501, 1_300)).isFalse();
    assertThat(agrees(1_500, 1_300)).isTrue();
  }

  @Test
  void a_slow_answer_does_not_blur_what_a_quick_one_has_shown() {
    told(1_000, 999, 1_000);
    told(2_000, 1_700, 2_300);

    assertThat(agrees(2_799, 2_300)).isTrue();
    assertThat(agrees(2_801, 2_300)).isFalse();
  }

  @Test
  void an_answer_that_contradicts_the_earlier_ones_replaces_them() {
    told(1_000, 1_000, 1_000);
    told(9_000, 2_000, 2_000); // the store's clock was set

    assertThat(agrees(9_000, 2_000)).isTrue();
    assertThat(agrees(2_000, 2_000)).isFalse();
  }

  @Test
  void elapsed_time_may_begin_anywhere() {
    told(1_000, -5_001, -5_000);

    assertThat(agrees(1_500, -5_000)).isTrue();
    assertThat(agrees(1_502, -5_000)).isFalse();
  }
}
