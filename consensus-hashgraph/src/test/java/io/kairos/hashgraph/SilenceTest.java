package io.kairos.hashgraph;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SilenceTest {
  @Test
  void one_who_has_forgotten_nothing_speaks_from_the_first_round() {
    assertThat(new Silence(Silence.NONE).isSilentAt(1)).isFalse();
  }

  @Test
  void one_who_has_forgotten_is_silent_until_what_it_can_have_made_is_ancient() {
    Silence silence = Silence.unknown();
    assertThat(silence.isSilentAt(Long.MAX_VALUE)).isTrue();

    assertThat(silence.caughtUp(10)).isTrue();
    long last = 10 + 4L * HashgraphEngine.ROUNDS_NON_ANCIENT;
    assertThat(silence.isSilentAt(last)).isTrue();
    assertThat(silence.isSilentAt(last + 1)).isFalse();

    assertThat(silence.caughtUp(1_000)).isFalse();
    assertThat(silence.until()).isEqualTo(last);
  }
}
