package io.kairos.engine.cron;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kairos.domain.cron.ComponentId;
import io.kairos.domain.cron.outbox.EffectId;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class LogCommandTest {
  private static final ComponentId LAST = new ComponentId(4_294_967_295L);

  @Test
  void cc13_a_tick_reads_as_it_was_written() {
    for (LogCommand.Tick tick :
        new LogCommand.Tick[] {
          new LogCommand.Tick(LAST, Long.MAX_VALUE, -5L),
          new LogCommand.Tick(new ComponentId(0), 1, null)
        }) {
      assertThat(LogCommand.decode(tick.encode())).hasValue(tick);
    }
  }

  @Test
  void a_request_is_opaque() {
    byte[] body = {1, 2, 3};

    LogCommand read = LogCommand.decode(new LogCommand.Request(body).encode()).orElseThrow();

    assertThat(((LogCommand.Request) read).body()).isEqualTo(body);
  }

  @Test
  void what_a_replica_says_of_effects_reads_as_it_was_written() {
    EffectId one = new EffectId(LAST, Integer.MAX_VALUE, Long.MAX_VALUE);
    EffectId other = new EffectId(new ComponentId(0), 0, 1);
    for (LogCommand.Effects effects :
        new LogCommand.Effects[] {
          new LogCommand.Effects(List.of(one, other), List.of(other)),
          new LogCommand.Effects(List.of(), List.of(one)),
          new LogCommand.Effects(List.of(), List.of())
        }) {
      assertThat(LogCommand.decode(effects.encode())).hasValue(effects);
    }
    byte[] cut = new LogCommand.Effects(List.of(one), List.of()).encode();
    assertThat(LogCommand.decode(Arrays.copyOf(cut, cut.length - 1))).isEmpty();
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
      assertThat(LogCommand.decode(bytes)).isNotNull();
    }
  }

  @Test
  void what_is_no_reply_is_refused() {
    assertThatThrownBy(() -> LogReply.of(new byte[0])).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> LogReply.of(new byte[] {77}))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
