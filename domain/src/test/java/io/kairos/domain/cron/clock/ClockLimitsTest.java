package io.kairos.domain.cron.clock;

import static io.kairos.domain.cron.clock.ClockLimits.Distance.BEYOND_HARD;
import static io.kairos.domain.cron.clock.ClockLimits.Distance.BEYOND_SOFT;
import static io.kairos.domain.cron.clock.ClockLimits.Distance.WITHIN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClockLimitsTest {
  @Test
  void cc44_the_published_limits() {
    assertThat(ClockLimits.PUBLISHED.soft()).hasMillis(500);
    assertThat(ClockLimits.PUBLISHED.hard()).hasSeconds(3);
    assertThat(ClockLimits.PUBLISHED.epsilon()).hasMillis(1);
  }

  @ParameterizedTest
  @CsvSource({
    "0, WITHIN",
    "500, WITHIN",
    "501, BEYOND_SOFT",
    "3000, BEYOND_SOFT",
    "3001, BEYOND_HARD"
  })
  void cc45_exactly_at_a_limit_is_within_it(long apart, ClockLimits.Distance distance) {
    assertThat(ClockLimits.PUBLISHED.between(10_000, 10_000 + apart)).isEqualTo(distance);
    assertThat(ClockLimits.PUBLISHED.between(10_000 + apart, 10_000)).isEqualTo(distance);
  }

  @Test
  void limits_may_be_equal_or_nothing() {
    ClockLimits none = new ClockLimits(Duration.ZERO, Duration.ZERO, Duration.ofMillis(1));

    assertThat(none.between(5, 5)).isEqualTo(WITHIN);
    assertThat(none.between(5, 6)).isEqualTo(BEYOND_HARD);
    assertThat(ClockLimits.PUBLISHED.between(0, 501)).isEqualTo(BEYOND_SOFT);
  }

  @Test
  void limits_that_make_no_sense_are_refused() {
    Duration one = Duration.ofMillis(1);
    assertThatThrownBy(() -> new ClockLimits(one.multipliedBy(2), one, one))
        .hasMessageContaining("hard limit");
    assertThatThrownBy(() -> new ClockLimits(one.negated(), one, one))
        .hasMessageContaining("hard limit");
    assertThatThrownBy(() -> new ClockLimits(one, one, Duration.ZERO))
        .hasMessageContaining("epsilon");
    assertThatThrownBy(() -> new ClockLimits(one, one, Duration.ofNanos(1_500_000)))
        .hasMessageContaining("epsilon");
  }
}
