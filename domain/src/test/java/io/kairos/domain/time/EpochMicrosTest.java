package io.kairos.domain.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class EpochMicrosTest {
  @Test
  void the_last_microsecond_of_year_9999_survives_the_round_trip() {
    Instant last = Instant.parse("9999-12-31T23:59:59.999999Z");

    assertThat(EpochMicros.of(last)).isEqualTo(EpochMicros.MAX);
    assertThat(EpochMicros.toInstant(EpochMicros.MAX)).isEqualTo(last);
  }

  @Test
  void the_first_moment_of_year_0_survives_the_round_trip() {
    Instant first = Instant.parse("0000-01-01T00:00:00Z");

    assertThat(EpochMicros.of(first)).isEqualTo(EpochMicros.MIN);
    assertThat(EpochMicros.toInstant(EpochMicros.MIN)).isEqualTo(first);
  }

  @Test
  void a_fraction_of_a_microsecond_is_rounded_up_because_early_is_worse_than_late() {
    assertThat(EpochMicros.of(Instant.ofEpochSecond(1, 1))).isEqualTo(1_000_001);
    assertThat(EpochMicros.of(Instant.ofEpochSecond(-1, 999_999_999))).isZero();
    assertThat(EpochMicros.of(Instant.ofEpochSecond(-1, 1_000))).isEqualTo(-999_999);
  }

  @Test
  void a_duration_is_rounded_down() {
    assertThat(EpochMicros.lengthOf(Duration.ofNanos(1_999))).isEqualTo(1);
  }
}
