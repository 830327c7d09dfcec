package io.kairos.engine.cluster;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kairos.engine.cluster.LatenessCounts.Percentiles;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LatenessCountsTest {
  private static LatenessCounts of(long... micros) {
    WorkCounts counts = new WorkCounts();
    for (long one : micros) {
      counts.late(one);
    }
    return counts.take(null).lateness();
  }

  @Test
  void every_bucket_is_at_most_an_eighth_wide_and_follows_the_one_before() {
    for (int bucket = 1; bucket < LatenessCounts.BUCKETS; bucket++) {
      long first = LatenessCounts.upperBound(bucket - 1) + 1;
      long last = LatenessCounts.upperBound(bucket);

      assertThat(LatenessCounts.bucket(first)).isEqualTo(bucket);
      assertThat(LatenessCounts.bucket(last)).isEqualTo(bucket);
      assertThat((last - first) * 8).isLessThanOrEqualTo(first);
    }
    assertThat(LatenessCounts.upperBound(LatenessCounts.BUCKETS - 1))
        .isEqualTo(LatenessCounts.LARGEST);
  }

  @Test
  void percentiles_are_upper_bounds_of_buckets_and_no_more_than_the_largest() {
    long[] all = new long[1_000];
    for (int i = 0; i < all.length; i++) {
      all[i] = 1_000L * (i + 1);
    }

    Percentiles percentiles = requireNonNull(of(all).percentiles());

    assertThat(percentiles.p50()).isBetween(Duration.ofMillis(500), Duration.ofMillis(563));
    assertThat(percentiles.p99()).isBetween(Duration.ofMillis(990), Duration.ofMillis(1_000));
    assertThat(percentiles.max()).isEqualTo(Duration.ofSeconds(1));
  }

  @Test
  void nothing_has_no_percentiles_and_needs_no_bytes() {
    assertThat(LatenessCounts.NONE.percentiles()).isNull();
    assertThat(of().bytes()).isEmpty();
    assertThat(of()).isEqualTo(LatenessCounts.NONE);
  }

  @Test
  void early_is_punctual_and_what_is_later_than_the_largest_is_the_largest() {
    assertThat(requireNonNull(of(-5_000).percentiles()).max()).isZero();
    assertThat(requireNonNull(of(Long.MAX_VALUE).percentiles()).p50())
        .isEqualTo(Duration.of(LatenessCounts.LARGEST, ChronoUnit.MICROS));
  }

  @Test
  void counts_of_several_are_those_of_all_together() {
    Random random = new Random(7);
    for (int round = 0; round < 100; round++) {
      long[] some = random.longs(random.nextInt(50), 0, 1L << random.nextInt(1, 45)).toArray();
      long[] others = random.longs(random.nextInt(50), 0, 1L << random.nextInt(1, 45)).toArray();
      long[] all = new long[some.length + others.length];
      System.arraycopy(some, 0, all, 0, some.length);
      System.arraycopy(others, 0, all, some.length, others.length);

      LatenessCounts sum = of(some).plus(of(others));

      assertThat(sum).isEqualTo(of(all));
      assertThat(sum.total()).isEqualTo(all.length);
      assertThat(LatenessCounts.ofBytes(sum.bytes())).isEqualTo(sum);
    }
  }

  @Test
  void other_bytes_are_refused() {
    assertThatThrownBy(() -> LatenessCounts.ofBytes(new byte[] {1, 2}))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> LatenessCounts.ofBytes(new byte[] {1, (byte) 0xFF, 0x7F, 1}))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(
            () -> LatenessCounts.ofBytes(new byte[] {-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, 1}))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void what_was_taken_is_not_counted_again() {
    WorkCounts counts = new WorkCounts();
    counts.accepted(3);
    counts.begun();
    counts.ended();
    counts.late(10);

    WorkFigures first = counts.take(Duration.ofSeconds(1));

    assertThat(first)
        .isEqualTo(
            new WorkFigures(
                3,
                1,
                1,
                LatenessCounts.ofOne(Duration.of(10, ChronoUnit.MICROS)),
                Duration.ofSeconds(1)));
    assertThat(counts.take(null)).isEqualTo(WorkFigures.NONE);
  }
}
