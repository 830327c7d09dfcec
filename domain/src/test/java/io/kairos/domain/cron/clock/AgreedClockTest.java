package io.kairos.domain.cron.clock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kairos.domain.cron.AgreedTime;
import io.kairos.domain.page.ReservedPages;
import io.kairos.domain.replica.ReplicaGroup;
import io.kairos.domain.replica.ReplicaGroup.Faults;
import io.kairos.domain.replica.ReplicaId;
import org.junit.jupiter.api.Test;

class AgreedClockTest {
  private static final long RECENT = 12;
  private static final long FORTY_YEARS = 40L * 365 * 86_400_000;

  private final ReservedPages pages = new ReservedPages(1 << 20);
  private AgreedClock clock = of(3, Faults.CRASH);

  private AgreedClock of(int size, Faults faults) {
    return new AgreedClock(new ReplicaGroup(size, faults), ClockLimits.PUBLISHED, pages);
  }

  private AgreedTime tick(int replica, long millis) {
    return clock.advance(new ReplicaId(replica), millis, RECENT);
  }

  private AgreedTime tickAt(long logMillis, int replica, long millis) {
    return clock.advance(new ReplicaId(replica), millis, AgreedTime.at(logMillis));
  }

  @Test
  void there_is_no_time_before_enough_clocks_have_been_read() {
    assertThat(clock.now()).isEqualTo(AgreedTime.OFF);
    assertThat(tick(0, 1_000)).isEqualTo(AgreedTime.OFF);
    assertThat(tick(0, 2_000)).isEqualTo(AgreedTime.OFF);

    assertThat(tick(1, 3_000)).isEqualTo(AgreedTime.at(2_000));
    assertThat(clock.now()).isEqualTo(AgreedTime.at(2_000));
  }

  @Test
  void of_three_clocks_the_one_in_the_middle_counts() {
    tick(0, 1_000);
    tick(1, 1_010);

    assertThat(tick(2, 1_020)).isEqualTo(AgreedTime.at(1_010));
    assertThat(tick(0, 2_000)).isEqualTo(AgreedTime.at(1_020));
  }

  @Test
  void a_clock_far_ahead_or_behind_is_outvoted() {
    tick(0, 1_000);
    tick(1, 1_010);
    assertThat(tick(2, 1_000 + FORTY_YEARS)).isEqualTo(AgreedTime.at(1_010));
    assertThat(tick(2, 1_000 - FORTY_YEARS)).isEqualTo(AgreedTime.at(1_011));
    assertThat(tick(0, 2_000)).isEqualTo(AgreedTime.at(1_012));
    assertThat(tick(1, 2_010)).isEqualTo(AgreedTime.at(2_000));
  }

  @Test
  void a_reading_that_was_noted_is_newer_than_that_of_the_tick_before_it() {
    clock = of(4, Faults.BYZANTINE);
    tick(1, 1_000);
    clock.note(new ReplicaId(2), 2_000);
    clock.note(new ReplicaId(3), 2_010);

    // Of the three newest; the one that lies is among them.
    assertThat(tick(0, 0)).isEqualTo(AgreedTime.at(2_000));
  }

  @Test
  void cc46_time_rises_strictly_and_epsilon_is_counted() {
    tick(0, 5_000);
    tick(1, 5_000);
    assertThat(clock.counters()).isEqualTo(new AgreedClock.Counters(2, 0, 0));

    assertThat(tick(0, 5_000)).isEqualTo(AgreedTime.at(5_001));
    assertThat(tick(1, 4_000)).isEqualTo(AgreedTime.at(5_002));
    assertThat(clock.counters()).isEqualTo(new AgreedClock.Counters(4, 2, 0));
  }

  @Test
  void cc46_the_time_of_the_log_needs_no_readings_and_rises_strictly_as_well() {
    clock = of(4, Faults.BYZANTINE);

    assertThat(tickAt(5_000, 0, FORTY_YEARS)).isEqualTo(AgreedTime.at(5_000));
    assertThat(tickAt(5_000, 1, 4_990)).isEqualTo(AgreedTime.at(5_001));
    assertThat(tickAt(4_000, 2, 5_010)).isEqualTo(AgreedTime.at(5_002));
    assertThat(tickAt(7_200_000, 0, 0)).isEqualTo(AgreedTime.at(7_200_000));
    assertThat(clock.counters()).isEqualTo(new AgreedClock.Counters(4, 2, 0));
    assertThat(clock.readings()).hasSize(3);
  }

  @Test
  void one_of_three_gone_for_long_leaves_time_going_on() {
    tick(2, 1_000);
    for (long now = 1_000; now < 3_600_000; now += 1_000) {
      tick(0, now);
      tick(1, now + 7);
    }

    assertThat(clock.now()).isEqualTo(AgreedTime.at(3_599_000));
  }

  @Test
  void two_of_three_gone_make_time_stand_still() {
    tick(0, 1_000);
    tick(1, 1_000);
    tick(2, 1_000);
    for (int i = 1; i <= 100; i++) {
      tick(0, 1_000 + i * 1_000L);
    }

    assertThat(clock.now()).isEqualTo(AgreedTime.at(1_101)); // 101 epsilons
  }

  @Test
  void after_an_outage_of_all_it_takes_one_more_than_may_fail_to_go_on() {
    tick(0, 1_000);
    tick(1, 1_000);
    tick(2, 1_000);
    long later = 3 * 3_600_000L;

    assertThat(tick(0, later)).isEqualTo(AgreedTime.at(1_002));
    assertThat(tick(1, later + 5)).isEqualTo(AgreedTime.at(later));
  }

  @Test
  void where_replicas_may_lie_the_newest_readings_count_and_no_fewer_than_two_thirds() {
    clock = of(4, Faults.BYZANTINE);

    assertThat(tick(0, 1_000)).isEqualTo(AgreedTime.OFF);
    assertThat(tick(1, 1_001)).isEqualTo(AgreedTime.OFF);
    assertThat(tick(2, 1_002)).isEqualTo(AgreedTime.at(1_001));
    assertThat(tick(3, 1_003)).isEqualTo(AgreedTime.at(1_002));
    assertThat(tick(3, 9_000_000)).isEqualTo(AgreedTime.at(1_003));
    assertThat(tick(0, 2_000)).isEqualTo(AgreedTime.at(2_000));
  }

  @Test
  void where_replicas_may_lie_a_silent_one_stops_nothing_and_two_do() {
    clock = of(4, Faults.BYZANTINE);
    for (long now = 1_000; now <= 100_000; now += 1_000) {
      tick(0, now);
      tick(1, now);
      tick(2, now);
    }
    assertThat(clock.now()).isEqualTo(AgreedTime.at(100_001));
    for (long now = 101_000; now <= 200_000; now += 1_000) {
      tick(0, now);
      tick(1, now);
    }

    // As long as the third one's last reading is recent, and no longer.
    assertThat(((AgreedTime.At) clock.now()).epochMillis()).isBetween(105_000L, 108_000L);
  }

  @Test
  void a_note_moves_no_time_and_counts_later() {
    tick(0, 1_000);
    clock.note(new ReplicaId(1), 2_000);
    assertThat(clock.now()).isEqualTo(AgreedTime.OFF);

    assertThat(tick(0, 1_500)).isEqualTo(AgreedTime.at(1_500));
  }

  @Test
  void a_single_replica_has_its_own_time() {
    clock = of(1, Faults.CRASH);

    assertThat(tick(0, 1_000)).isEqualTo(AgreedTime.at(1_000));
    assertThat(tick(0, 900)).isEqualTo(AgreedTime.at(1_001));
  }

  @Test
  void cc47_after_a_restore_the_same_readings_give_the_same_times() {
    tick(0, 1_000);
    tick(1, 1_010);
    ReservedPages.Snapshot before = pages.snapshot();
    AgreedTime first = tick(2, 1_020);
    AgreedTime second = tick(0, 1_020);

    pages.restore(before);
    assertThat(clock.now()).isEqualTo(AgreedTime.at(1_000));

    assertThat(tick(2, 1_020)).isEqualTo(first);
    assertThat(tick(0, 1_020)).isEqualTo(second);
    assertThat(of(3, Faults.CRASH).now()).isEqualTo(second);
  }

  @Test
  void cc48_cc49_a_reading_that_no_clock_shows_is_not_kept() {
    clock.countIllFormed();
    clock.countIllFormed();

    assertThat(clock.counters()).isEqualTo(new AgreedClock.Counters(0, 0, 2));
    assertThat(AgreedClock.isWellFormed(Long.MAX_VALUE)).isFalse();
    assertThat(AgreedClock.isWellFormed(0)).isTrue();
    assertThatThrownBy(() -> tick(0, Long.MIN_VALUE)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void a_clock_of_a_larger_cluster_is_refused() {
    clock = of(5, Faults.CRASH);
    tick(4, 1_000);

    assertThatThrownBy(() -> of(3, Faults.CRASH).now()).isInstanceOf(IllegalStateException.class);
  }
}
