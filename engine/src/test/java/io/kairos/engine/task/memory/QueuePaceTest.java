package io.kairos.engine.task.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class QueuePaceTest {
  private static final int MOST = 10_000;
  private static final long SECOND = Duration.ofSeconds(1).toNanos();
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final QueuePace pace = new QueuePace(MOST, PATIENCE, 0);

  /** So many a second, until then. */
  private void handOut(int perSecond, int seconds) {
    for (int second = 1; second <= seconds; second++) {
      pace.handedOut(perSecond);
      pace.turn(second * SECOND);
    }
  }

  @Test
  void a_queue_that_nothing_holds_back_may_fill_the_memory() {
    assertThat(pace.bound(0)).isEqualTo(MOST);
    assertThat(pace.kept(MOST, 0)).isEqualTo(MOST);
  }

  @ParameterizedTest
  @CsvSource({"0, 16", "1, 16", "2, 20", "50, 500", "999, 9990", "1001, 10000", "5000, 10000"})
  void a_slow_queue_may_have_what_it_hands_out_in_ten_seconds(int perSecond, int bound) {
    handOut(perSecond, 3);
    pace.slow(3 * SECOND);

    assertThat(pace.bound(3 * SECOND)).isEqualTo(bound);
  }

  @Test
  void what_it_hands_out_is_judged_by_the_best_second_less_a_tenth_for_each_since() {
    handOut(100, 1);
    pace.slow(SECOND);
    assertThat(pace.bound(SECOND)).isEqualTo(1_000);

    pace.turn(2 * SECOND);
    assertThat(pace.bound(2 * SECOND)).isEqualTo(900);
    pace.turn(3 * SECOND);
    assertThat(pace.bound(3 * SECOND)).isEqualTo(810);
  }

  @Test
  void what_the_present_second_has_brought_counts_at_once() {
    handOut(10, 1);
    pace.slow(SECOND);
    pace.handedOut(70);

    assertThat(pace.bound(SECOND)).isEqualTo(700);
  }

  @Test
  void slowness_is_forgotten_when_nothing_has_shown_it_for_the_enqueue_timeout() {
    pace.slow(0);

    assertThat(pace.bound(PATIENCE.toNanos() - 1)).isEqualTo(16);
    assertThat(pace.bound(PATIENCE.toNanos())).isEqualTo(MOST);
    assertThat(pace.kept(MOST, PATIENCE.toNanos())).isEqualTo(MOST);
  }

  @ParameterizedTest
  @CsvSource({"1000, 1000", "2000, 2000", "2001, 1000", "9000, 1000"})
  void a_slow_queue_gives_back_what_is_more_than_twice_its_bound(int size, int kept) {
    handOut(100, 1);
    pace.slow(SECOND);

    assertThat(pace.kept(size, SECOND)).isEqualTo(kept);
  }

  /** Half of the patience is 30 seconds, in which 10 a second are 300 tasks. */
  @ParameterizedTest
  @CsvSource({"99, 99", "100, 100", "301, 0"})
  void a_slow_queue_keeps_nothing_when_its_last_would_be_reaped_here(int size, int kept) {
    pace.slow(0);
    handOut(10, 30);
    pace.slow(30 * SECOND);

    assertThat(pace.kept(size, 30 * SECOND)).isEqualTo(kept);
  }

  @Test
  void whether_its_last_would_be_reaped_is_judged_once_in_half_the_patience() {
    pace.slow(0);
    pace.slow(30 * SECOND);
    assertThat(pace.kept(20, 30 * SECOND)).isZero();

    assertThat(pace.kept(20, 31 * SECOND)).isEqualTo(20);
    pace.slow(59 * SECOND);
    assertThat(pace.kept(20, 60 * SECOND)).isZero();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void bounds_hold_whatever_happens(long seed) {
    RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
    long now = 0;
    for (int i = 0; i < 5_000; i++) {
      now += random.nextLong(2 * SECOND);
      switch (random.nextInt(4)) {
        case 0 -> pace.handedOut(random.nextInt(500));
        case 1 -> pace.slow(now);
        default -> pace.turn(now);
      }
      int size = random.nextInt(MOST + 1);
      int bound = pace.bound(now);
      int kept = pace.kept(size, now);

      assertThat(bound).isBetween(16, MOST);
      assertThat(kept).isIn(0, size, bound).isLessThanOrEqualTo(size);
    }
  }
}
