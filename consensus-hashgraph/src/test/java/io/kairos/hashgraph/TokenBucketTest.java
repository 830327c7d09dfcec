package io.kairos.hashgraph;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class TokenBucketTest {
  private static final long SECOND = 1_000_000_000L;
  private static final long BEGIN = -7 * SECOND; // clocks of nanoseconds begin anywhere

  @Test
  void a_burst_passes_at_once_and_then_so_many_in_a_second() {
    TokenBucket bucket = new TokenBucket(10, SECOND);
    long atOnce = LongStream.range(0, 100).filter(_ -> bucket.tryTake(BEGIN)).count();
    long later =
        LongStream.range(0, 1_000).filter(i -> bucket.tryTake(BEGIN + i * SECOND / 100)).count();

    assertThat(atOnce).isEqualTo(11);
    assertThat(later).isBetween(99L, 100L);
  }

  @Test
  void what_is_too_large_passes_and_is_made_up_for() {
    TokenBucket bucket = new TokenBucket(10, SECOND);
    bucket.take(100, BEGIN);

    assertThat(bucket.isOpen(BEGIN + 8 * SECOND)).isFalse();
    assertThat(bucket.isOpen(BEGIN + 9 * SECOND)).isTrue();
    assertThat(bucket.isOpen(BEGIN + 9_000 * SECOND)).isTrue();
  }
}
