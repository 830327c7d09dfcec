package io.kairos.engine.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.domain.time.EpochMicros;
import java.time.Duration;
import java.time.Instant;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

final class BelievedClockTest {
  private static final Instant START = Instant.parse("2026-01-01T12:00:00Z");
  private static final Duration LEASE = Duration.ofSeconds(5);
  private static final int EVERY_MILLIS = 300;
  private static final long A_READING_MILLIS = 1;

  private final BelievedClock believed = watching();
  private long elapsedMillis;
  private long aheadMillis;

  private static BelievedClock watching() {
    BelievedClock clock = new BelievedClock(Duration.ofMillis(1_500));
    assertThat(clock.micros(LEASE, 0)).isEmpty();
    return clock;
  }

  /** The store's clock is read again and again for so long. */
  private void watch(Duration length) {
    for (long left = length.toMillis(); left > 0; left -= EVERY_MILLIS) {
      believed.told(now(), elapsedMillis * 1_000_000, elapsedMillis * 1_000_000);
      elapsedMillis += EVERY_MILLIS;
    }
  }

  private Instant now() {
    return START.plusMillis(elapsedMillis + aheadMillis);
  }

  private OptionalLong judged() {
    return believed.micros(LEASE, elapsedMillis * 1_000_000);
  }

  /** By how much the believed clock is ahead of what the store's would show had it not stepped. */
  private long aheadMillis() {
    long micros = judged().orElseThrow() - EpochMicros.of(START.plusMillis(elapsedMillis));
    return Math.round(micros / 1_000.0);
  }

  @Test
  void no_lease_is_judged_before_the_clock_was_watched_for_one() {
    judged();
    watch(LEASE.minusMillis(300));
    assertThat(judged()).isEmpty();

    watch(Duration.ofMillis(600));

    assertThat(aheadMillis()).isZero();
  }

  @Test
  void a_step_forward_is_believed_when_it_is_one_lease_old() {
    watch(LEASE.multipliedBy(2));
    aheadMillis = 10_000;
    assertThat(aheadMillis()).isZero();

    watch(LEASE.minusMillis(400));
    assertThat(aheadMillis()).isZero();

    watch(Duration.ofMillis(900));
    assertThat(aheadMillis()).isEqualTo(10_000);
  }

  @Test
  void a_step_back_is_believed_with_the_next_reading_and_the_step_forward_after_it_is_not() {
    watch(LEASE.multipliedBy(2));
    aheadMillis = -10_000;
    watch(Duration.ofMillis(A_READING_MILLIS));
    assertThat(aheadMillis()).isEqualTo(-10_000);

    aheadMillis = 0;
    watch(LEASE.minusMillis(400));

    assertThat(aheadMillis()).isEqualTo(-10_000);
  }

  @Test
  void two_steps_forward_are_believed_one_after_the_other() {
    watch(LEASE.multipliedBy(2));
    aheadMillis = 1_000;
    watch(LEASE.dividedBy(2));
    aheadMillis = 3_000;
    watch(LEASE.minusMillis(900));
    assertThat(aheadMillis()).isEqualTo(1_000);

    watch(LEASE);
    assertThat(aheadMillis()).isEqualTo(3_000);
  }

  @Test
  void what_nobody_has_watched_begins_the_watch_anew() {
    watch(LEASE.multipliedBy(2));
    elapsedMillis += 2_000;
    assertThat(judged()).isEmpty();

    watch(LEASE.minusMillis(300));
    assertThat(judged()).isEmpty();
    watch(Duration.ofMillis(A_READING_MILLIS));
    assertThat(judged()).isPresent();
  }

  @Test
  void a_longer_lease_needs_a_longer_watch() {
    watch(LEASE.multipliedBy(2));
    believed.micros(LEASE.multipliedBy(4), elapsedMillis * 1_000_000);
    watch(LEASE.multipliedBy(2));
    aheadMillis = 10_000;
    watch(LEASE.multipliedBy(2));

    assertThat(aheadMillis()).isEqualTo(10_000);
    assertThat(believed.micros(LEASE.multipliedBy(4), elapsedMillis * 1_000_000).orElseThrow())
        .isLessThan(judged().orElseThrow());
  }
}
