package io.kairos.bench.byzantine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ClockErrorTest {
  @Test
  void one_who_is_behind_may_catch_up_and_one_who_was_ahead_stays_wrong() {
    ClockError behind = ClockError.NONE_SEEN.and(List.of(-30_000L, -20_000L, 0L));
    assertThat(behind).isEqualTo(new ClockError(0, 20_000));
    assertThat(behind.isSmall()).isFalse();

    ClockError caughtUp = behind.and(List.of(-9_000L, -900L, -200L)).and(List.of(0L));
    assertThat(caughtUp).isEqualTo(new ClockError(0, 900));
    assertThat(caughtUp.isSmall()).isTrue();

    ClockError ahead = caughtUp.and(List.of(-900L, 9_000L, -1_200L)).and(List.of(-1L, -1L));
    assertThat(ahead).isEqualTo(new ClockError(9_000, 1));
    assertThat(ahead.isSmall()).isFalse();
  }

  @Test
  void of_replicas_that_never_answered_nothing_is_known() {
    assertThat(ClockError.NONE_SEEN.and(List.of()).isSmall()).isFalse();
  }
}
