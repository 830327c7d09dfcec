package io.kairos.engine.cron;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kairos.domain.cron.ComponentId;
import io.kairos.domain.cron.outbox.EffectId;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class CronCommandTest {
  private static final ComponentId LAST = new ComponentId(4_294_967_295L);

  @Test
  void cc13_a_tick_reads_as_it_was_written() {
    for (CronCommand.Tick tick :
        new CronCommand.Tick[] {
          new CronCommand.Tick(LAST, Long.MAX_VALUE, -5L),
          new CronCommand.Tick(new ComponentId(0), 1, null)
        }) {
      assertThat(CronCommand.decode(tick.encode())).hasValue(tick);
    }
  }

  @Test
  void a_request_is_opaque() {
    byte[] body = {1, 2, 3};

    CronCommand read = CronCommand.decode(new CronCommand.Request(body).encode()).orElseThrow();

    assertThat(((CronCommand.Request) read).body()).isEqualTo(body);
  }

  @Test
  void what_a_replica_says_of_effects_reads_as_it_was_written() {
    EffectId one = new EffectId(LAST, Integer.MAX_VALUE, Long.MAX_VALUE);
    EffectId other = new EffectId(new ComponentId(0), 0, 1);
    for (CronCommand.Effects effects :
        new CronCommand.Effects[] {
          new CronCommand.Effects(List.of(one, other), List.of(other)),
          new CronCommand.Effects(List.of(), List.of(one)),
          new CronCommand.Effects(List.of(), List.of())
        }) {
      assertThat(CronCommand.decode(effects.encode())).hasValue(effects);
    }
    byte[] cut = new CronCommand.Effects(List.of(one), List.of()).encode();
    assertThat(CronCommand.decode(Arrays.copyOf(cut, cut.length - 1))).isEmpty();
  }

  @Test
  void whatever_comes_reading_it_throws_nothing() {
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < 10_000; i++) {
      byte[] bytes = new byte[random.nextInt(30)];
      random.nextBytes(bytes);
      if (bytes.length > 0 && random.nextBoolean()) {
        bytes[0] = (byte) random.nextInt(5);
      }
      assertThat(CronCommand.decode(bytes)).isNotNull();
    }
  }

  @Test
  void what_is_no_reply_is_refused() {
    assertThatThrownBy(() -> CronReply.of(new byte[0]))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> CronReply.of(new byte[] {77}))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
