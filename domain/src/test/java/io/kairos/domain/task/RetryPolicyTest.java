package io.kairos.domain.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RetryPolicyTest {
  private static final double ALMOST_ONE = Math.nextDown(1.0);

  @Test
  void pd32_waits_double_up_to_their_bound() {
    assertThat(IntStream.of(1, 2, 3, 4, 5, 100).mapToObj(RetryPolicyTest::longestAfter))
        .containsExactly(20L, 40L, 80L, 120L, 120L, 120L);
  }

  private static long longestAfter(int attempt) {
    return RetryPolicy.DEFAULT.backoffAfter(attempt, ALMOST_ONE).plusMillis(1).toSeconds();
  }

  @ParameterizedTest // PD-L14
  @CsvSource({"0, 10000", "0.25, 12500", "0.5, 15000"})
  void pd32_the_upper_half_of_a_wait_is_left_to_chance(double chance, long millis) {
    assertThat(RetryPolicy.DEFAULT.backoffAfter(1, chance)).isEqualTo(Duration.ofMillis(millis));
  }

  @Test
  void a_wait_never_overflows_however_many_attempts_there_were() {
    RetryPolicy steep =
        new RetryPolicy(RetryPolicy.MOST_ATTEMPTS, Duration.ofSeconds(1), 100, RetryPolicy.LONGEST);

    assertThat(steep.backoffAfter(RetryPolicy.MOST_ATTEMPTS, ALMOST_ONE))
        .isBetween(RetryPolicy.LONGEST.dividedBy(2), RetryPolicy.LONGEST);
  }

  @Test
  void pd31_a_hundred_retries_and_no_more() {
    assertThat(RetryPolicy.DEFAULT.allowsAfter(100)).isTrue();
    assertThat(RetryPolicy.DEFAULT.allowsAfter(101)).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "0, PT1S, 2, PT1S, max_attempts",
    "1000001, PT1S, 2, PT1S, max_attempts",
    "1, PT-1S, 2, PT1S, initial_backoff",
    "1, P366D, 2, P366D, initial_backoff",
    "1, PT1S, 0.5, PT1S, factor",
    "1, PT1S, NaN, PT1S, factor",
    "1, PT2S, 2, PT1S, max_backoff",
    "1, PT2S, 2, P366D, max_backoff"
  })
  void what_is_out_of_range_is_named(
      int attempts, Duration initial, double factor, Duration max, String named) {
    assertThatThrownBy(() -> new RetryPolicy(attempts, initial, factor, max))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(named);
  }
}
