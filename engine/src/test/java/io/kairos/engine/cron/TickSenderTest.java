package io.kairos.engine.cron;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.domain.cron.round.TickRotation;
import io.kairos.domain.replica.ReplicaGroup;
import io.kairos.domain.replica.ReplicaGroup.Faults;
import io.kairos.domain.replica.ReplicaId;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class TickSenderTest {
  /** Of three: round 1 has 2 and 0 in turn, round 2 has 1 and 2, round 3 has 0 and 1. */
  private static final TickRotation ROTATION = new TickRotation(new ReplicaGroup(3, Faults.CRASH));

  private static final long MILLI = 1_000_000;

  private static TickSender sender(int replica, long round, long nowMillis) {
    return new TickSender(
        ROTATION, new ReplicaId(replica), Duration.ofMillis(100), round, nowMillis * MILLI);
  }

  @Test
  void cc_f1_who_is_in_turn_ticks_one_period_after_the_last_round_began() {
    TickSender sender = sender(2, 0, 0);

    assertThat(sender.due(0, false, 99 * MILLI)).isEmpty();
    assertThat(sender.dueNanos()).isEqualTo(100 * MILLI);
    assertThat(sender.due(0, false, 100 * MILLI)).hasValue(1);
    assertThat(sender.due(0, false, 101 * MILLI)).isEmpty();
  }

  @Test
  void cc36_the_period_is_counted_from_when_the_round_was_seen() {
    TickSender sender = sender(2, 0, 0);
    sender.due(0, false, 100 * MILLI);

    assertThat(sender.due(1, true, 130 * MILLI)).isEmpty();
    assertThat(sender.due(1, true, 229 * MILLI)).isEmpty();
    assertThat(sender.due(1, true, 1_000 * MILLI)).hasValue(2);
  }

  @Test
  void cc_f1_a_round_that_another_began_is_joined_at_once_and_once() {
    TickSender sender = sender(0, 0, 0);

    assertThat(sender.due(1, false, 50 * MILLI)).hasValue(1);
    assertThat(sender.due(1, false, 51 * MILLI)).isEmpty();
  }

  @Test
  void cc_f1_who_has_ticked_or_is_not_in_turn_does_not_join() {
    assertThat(sender(0, 0, 0).due(1, true, 50 * MILLI)).isEmpty();
    assertThat(sender(1, 0, 0).due(1, false, 50 * MILLI)).isEmpty();
  }

  @Test
  void a_round_that_began_before_the_start_is_not_joined() {
    assertThat(sender(0, 1, 0).due(1, false, 50 * MILLI)).isEmpty();
  }

  @Test
  void cc16_who_is_not_in_turn_asks_after_two_periods_without_a_round() {
    TickSender sender = sender(1, 0, 0);

    assertThat(sender.due(0, false, 199 * MILLI)).isEmpty();
    assertThat(sender.dueNanos()).isEqualTo(200 * MILLI);
    assertThat(sender.due(0, false, 200 * MILLI)).hasValue(1);
  }

  @Test
  void cc42_what_was_not_executed_is_sent_again_after_two_periods() {
    TickSender sender = sender(2, 0, 0);
    assertThat(sender.due(0, false, 100 * MILLI)).hasValue(1);

    assertThat(sender.dueNanos()).isEqualTo(300 * MILLI);
    assertThat(sender.due(0, false, 299 * MILLI)).isEmpty();
    assertThat(sender.due(0, false, 300 * MILLI)).hasValue(1);
    assertThat(sender.due(0, false, 301 * MILLI)).isEmpty();
  }

  @Test
  void a_clock_that_wraps_around_changes_nothing() {
    long start = Long.MAX_VALUE - 50 * MILLI;
    TickSender sender =
        new TickSender(ROTATION, new ReplicaId(2), Duration.ofMillis(100), 0, start);

    assertThat(sender.due(0, false, start + 99 * MILLI)).isEmpty();
    assertThat(sender.due(0, false, start + 100 * MILLI)).hasValue(1);
  }

  @Test
  void cc42_what_was_not_executed_is_sent_again_soon_also_when_the_period_is_long() {
    long hour = 3_600_000;
    TickSender sender = new TickSender(ROTATION, new ReplicaId(2), Duration.ofMillis(hour), 0, 0);
    assertThat(sender.due(0, false, hour * MILLI)).hasValue(1);

    assertThat(sender.due(0, false, (hour + 4_999) * MILLI)).isEmpty();
    assertThat(sender.due(0, false, (hour + 5_000) * MILLI)).hasValue(1);
  }
}
