package io.kairos.engine.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class ClockWatchTest {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  private long nanos;
  private Duration offset = Duration.ZERO;
  private int jumps;
  private int returns;
  private final ClockWatch watch =
      new ClockWatch(
          () -> nanos,
          new ScheduleEvents() {
            @Override
            public void clockJumped(Duration by) {
              jumps++;
            }

            @Override
            public void clockBelieved() {
              returns++;
            }
          });

  private boolean looksAfter(Duration passed) {
    nanos += passed.toNanos();
    return watch.believes(shown());
  }

  private Instant shown() {
    return START.plusNanos(nanos).plus(offset);
  }

  @Test
  void the_first_time_is_believed_whatever_it_is() {
    offset = Duration.ofDays(-900);

    assertThat(looksAfter(Duration.ZERO)).isTrue();
  }

  @Test
  void a_jump_forward_is_believed_when_it_has_stayed() {
    looksAfter(Duration.ofSeconds(1));
    offset = Duration.ofHours(1);

    assertThat(looksAfter(Duration.ofSeconds(1))).isFalse();
    assertThat(looksAfter(Duration.ofSeconds(29))).isFalse();
    assertThat(looksAfter(Duration.ofSeconds(1))).isTrue();
    assertThat(jumps).isEqualTo(1);
    assertThat(returns).isEqualTo(1);
  }

  @Test
  void a_jump_that_is_taken_back_has_changed_nothing() {
    looksAfter(Duration.ofSeconds(1));
    offset = Duration.ofHours(1);
    looksAfter(Duration.ofSeconds(1));
    offset = Duration.ZERO;

    assertThat(looksAfter(Duration.ofSeconds(1))).isTrue();
    offset = Duration.ofHours(1);
    assertThat(looksAfter(Duration.ofSeconds(40))).isFalse();
  }

  @Test
  void a_clock_that_drifts_does_not_jump() {
    for (int second = 0; second < 100_000; second++) {
      offset = offset.plusNanos(second < 50_000 ? 500_000 : -500_000);
      assertThat(looksAfter(Duration.ofSeconds(1))).isTrue();
    }
    assertThat(jumps).isZero();
  }

  @Test
  void an_answer_that_took_its_time_makes_the_next_no_jump() {
    looksAfter(Duration.ofSeconds(1));
    Instant old = shown();
    nanos += Duration.ofSeconds(8).toNanos();

    assertThat(watch.believes(old)).isTrue();
    assertThat(looksAfter(Duration.ofMillis(10))).isTrue();
  }

  @Test
  void a_process_that_stood_still_before_it_looked_at_an_answer_is_told_of_no_jump() {
    looksAfter(Duration.ofSeconds(1));
    Instant old = shown();
    nanos += Duration.ofHours(9).toNanos();

    assertThat(watch.believes(old)).isTrue();
    assertThat(looksAfter(Duration.ofMillis(10))).isTrue();
    assertThat(jumps).isZero();
  }

  @Test
  void a_clock_that_has_gone_back_for_good_is_what_a_jump_is_measured_against() {
    looksAfter(Duration.ofSeconds(1));
    offset = Duration.ofHours(-1);
    for (int second = 0; second < 40; second++) {
      assertThat(looksAfter(Duration.ofSeconds(1))).isTrue();
    }
    offset = Duration.ZERO;

    assertThat(looksAfter(Duration.ofSeconds(1))).isFalse();
  }

  @Test
  void a_clock_that_goes_back_and_returns_does_not_jump() {
    looksAfter(Duration.ofSeconds(1));
    offset = Duration.ofHours(-1);
    assertThat(looksAfter(Duration.ofSeconds(1))).isTrue();
    offset = Duration.ZERO;

    assertThat(looksAfter(Duration.ofSeconds(20))).isTrue();
  }
}
