package io.kairos.engine.delay.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.domain.delay.DelayedMessage;
import io.kairos.domain.delay.Fence;
import io.kairos.domain.delay.MessageId;
import io.kairos.domain.delay.RouteId;
import io.kairos.domain.node.NodeId;
import io.kairos.engine.delay.port.ClaimedMessage;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Test;

class WheelTest {
  private static final long TURN_MICROS = 65_536_000;
  private static final Fence FENCE = new Fence(new NodeId(new UUID(0, 1)), 1);

  @Test // TW-2
  void tw_3_entries_of_a_later_turn_share_a_slot_and_stay_until_theirs() {
    Wheel wheel = new Wheel(0);
    HeldMessage near = held(5_000);
    HeldMessage far = held(5_000 + TURN_MICROS);
    wheel.add(far);
    wheel.add(near);

    assertThat(take(wheel, 10_000, 10)).containsExactly(near);
    assertThat(take(wheel, TURN_MICROS, 10)).isEmpty();
    assertThat(take(wheel, 5_000 + TURN_MICROS, 10)).containsExactly(far);
    assertThat(wheel.size()).isZero();
  }

  @Test
  void equal_due_times_come_out_as_they_were_added() {
    Wheel wheel = new Wheel(0);
    List<HeldMessage> equals = List.of(held(5_000), held(5_000), held(5_000), held(5_000));
    HeldMessage far = held(5_000 + TURN_MICROS);
    wheel.add(equals.get(0));
    wheel.add(equals.get(1));
    wheel.add(far);
    wheel.add(equals.get(2));

    assertThat(take(wheel, 5_000, 2)).containsExactly(equals.get(0), equals.get(1));
    wheel.add(equals.get(3));
    assertThat(take(wheel, 5_000, 10)).containsExactly(equals.get(2), equals.get(3));
    assertThat(take(wheel, 5_000 + TURN_MICROS, 10)).containsExactly(far);
  }

  @Test
  void tw_6_nothing_comes_out_a_microsecond_early() {
    Wheel wheel = new Wheel(0);
    wheel.add(held(1_500));

    assertThat(take(wheel, 1_499, 10)).isEmpty();
    assertThat(take(wheel, 1_500, 10)).hasSize(1);
  }

  @Test
  void what_is_overdue_when_it_comes_comes_out_next_and_can_be_removed() {
    Wheel wheel = new Wheel(1_000_000);
    HeldMessage overdue = held(-5);
    HeldMessage removed = held(7);
    wheel.add(overdue);
    wheel.add(removed);

    assertThat(wheel.remove(removed)).isTrue();
    assertThat(wheel.remove(removed)).isFalse();
    assertThat(take(wheel, 1_000_000, 10)).containsExactly(overdue);
  }

  @Test
  void a_clock_that_is_set_back_does_not_hold_back_what_is_due_all_the_same() {
    Wheel wheel = new Wheel(10_000_000);
    wheel.add(held(1_000));
    wheel.add(held(9_000_000));

    assertThat(take(wheel, 5_000_000, 10)).hasSize(1);
    assertThat(take(wheel, 9_000_000, 10)).hasSize(1);
  }

  @Test
  void the_next_due_time_is_never_later_than_the_truth() {
    Wheel wheel = new Wheel(0);
    wheel.add(held(5_000 + TURN_MICROS));
    wheel.add(held(7_000));

    assertThat(wheel.nextDueMicros()).isLessThanOrEqualTo(7_000);
    take(wheel, 6_000, 10);
    assertThat(wheel.nextDueMicros()).isEqualTo(7_000);
  }

  /** The oracle is a sorted list. */
  @Test // TW-1
  void it_agrees_with_a_sorted_list_whatever_comes() {
    long seed = Long.getLong("test.seed", System.nanoTime());
    RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
    for (int round = 0; round < 200; round++) {
      long now = random.nextLong(0, 10 * TURN_MICROS);
      Wheel wheel = new Wheel(now);
      List<HeldMessage> oracle = new ArrayList<>();
      for (int action = 0; action < 200; action++) {
        switch (random.nextInt(4)) {
          case 0, 1 -> {
            long spread = random.nextBoolean() ? 20_000 : 3 * TURN_MICROS;
            HeldMessage held = held(now + random.nextLong(-spread / 4, spread));
            wheel.add(held);
            oracle.add(held);
          }
          case 2 -> {
            now +=
                random.nextInt(10) == 0
                    ? random.nextLong(2 * TURN_MICROS)
                    : random.nextLong(10_000);
            long until = now;
            int max = random.nextInt(1, 20);
            List<HeldMessage> expected =
                oracle.stream()
                    .filter(held -> held.dueMicros() <= until)
                    .sorted(Comparator.comparingLong(HeldMessage::dueMicros))
                    .limit(max)
                    .toList();
            List<HeldMessage> taken = take(wheel, until, max);
            assertThat(taken.stream().map(HeldMessage::dueMicros).toList())
                .as("-Dtest.seed=%d", seed)
                .isEqualTo(expected.stream().map(HeldMessage::dueMicros).toList());
            oracle.removeAll(taken);
          }
          default -> {
            if (!oracle.isEmpty()) {
              HeldMessage held = oracle.remove(random.nextInt(oracle.size()));
              assertThat(wheel.remove(held)).as("-Dtest.seed=%d", seed).isTrue();
            }
          }
        }
        assertThat(wheel.size()).as("-Dtest.seed=%d", seed).isEqualTo(oracle.size());
        long earliest =
            oracle.stream().mapToLong(HeldMessage::dueMicros).min().orElse(Long.MAX_VALUE);
        assertThat(wheel.nextDueMicros())
            .as("-Dtest.seed=%d", seed)
            .isLessThanOrEqualTo(Math.max(earliest, now));
      }
    }
  }

  private static List<HeldMessage> take(Wheel wheel, long untilMicros, int max) {
    List<HeldMessage> taken = new ArrayList<>();
    int count = wheel.takeDue(untilMicros, max, taken::add);
    assertThat(taken).hasSize(count);
    return taken;
  }

  private static HeldMessage held(long dueMicros) {
    DelayedMessage message =
        new DelayedMessage(
            new RouteId(1), new MessageId("m"), dueMicros, null, new byte[0], null, null);
    return new HeldMessage(new ClaimedMessage(message, FENCE));
  }
}
