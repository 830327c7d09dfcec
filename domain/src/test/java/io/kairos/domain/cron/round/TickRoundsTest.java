package io.kairos.domain.cron.round;

import static io.kairos.domain.cron.round.TickVerdict.ASKS;
import static io.kairos.domain.cron.round.TickVerdict.BEGINS;
import static io.kairos.domain.cron.round.TickVerdict.EARLY;
import static io.kairos.domain.cron.round.TickVerdict.EXCESS;
import static io.kairos.domain.cron.round.TickVerdict.JOINS;
import static io.kairos.domain.cron.round.TickVerdict.LATE;
import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.domain.cron.ComponentId;
import io.kairos.domain.page.ReservedPages;
import io.kairos.domain.replica.ReplicaGroup;
import io.kairos.domain.replica.ReplicaGroup.Faults;
import io.kairos.domain.replica.ReplicaId;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TickRoundsTest {
  private static final ComponentId OURS = new ComponentId(7);
  private static final ComponentId OTHERS = new ComponentId(8);

  private final ReservedPages pages = new ReservedPages(1 << 20);
  private TickRounds rounds = new TickRounds(new ReplicaGroup(3, Faults.CRASH), pages);

  private TickVerdict tick(int replica, long round) {
    return rounds.judge(OURS, new ReplicaId(replica), round);
  }

  @Test
  void cc_f1_who_is_in_turn_begins_a_round_and_the_other_joins_it() {
    assertThat(rounds.round(OURS)).isZero();

    assertThat(tick(2, 1)).isEqualTo(BEGINS);
    assertThat(tick(0, 1)).isEqualTo(JOINS);
    assertThat(tick(1, 2)).isEqualTo(BEGINS);

    assertThat(rounds.round(OURS)).isEqualTo(2);
    assertThat(rounds.hasTicked(OURS, new ReplicaId(1))).isTrue();
    assertThat(rounds.hasTicked(OURS, new ReplicaId(0))).isFalse();
  }

  @Test
  void cc_l3_a_replica_has_one_tick_a_round_that_counts() {
    assertThat(tick(2, 1)).isEqualTo(BEGINS);
    assertThat(tick(2, 1)).isEqualTo(EXCESS);
    assertThat(tick(1, 1)).isEqualTo(EXCESS);
    assertThat(tick(2, 3)).isEqualTo(EARLY);
    assertThat(tick(1, 2)).isEqualTo(BEGINS);
    assertThat(tick(0, 1)).isEqualTo(LATE);
  }

  @Test
  void cc_l3_before_the_first_round_there_is_none_to_join() {
    for (int replica = 0; replica < 3; replica++) {
      assertThat(tick(replica, 0)).isEqualTo(LATE);
      assertThat(tick(replica, -1)).isEqualTo(LATE);
    }
    assertThat(tick(2, 1)).isEqualTo(BEGINS);
  }

  @Test
  void cc16_a_round_that_nobody_in_turn_begins_is_begun_when_more_ask_than_may_fail() {
    rounds = new TickRounds(new ReplicaGroup(5, Faults.CRASH), pages); // round 1: 3, 4, 0

    assertThat(tick(1, 1)).isEqualTo(ASKS);
    assertThat(tick(1, 1)).isEqualTo(ASKS);
    assertThat(tick(2, 1)).isEqualTo(ASKS);
    assertThat(rounds.round(OURS)).isZero();
    assertThat(tick(0, 1)).isEqualTo(BEGINS);

    assertThat(tick(0, 2)).isEqualTo(ASKS); // round 2: 1, 2, 3
    assertThat(tick(4, 2)).isEqualTo(ASKS);
    assertThat(tick(3, 2)).isEqualTo(BEGINS);
  }

  @Test
  void cc16_where_replicas_may_lie_it_always_takes_more_than_may_fail() {
    rounds = new TickRounds(new ReplicaGroup(4, Faults.BYZANTINE), pages); // round 1: 2, 3

    assertThat(tick(2, 1)).isEqualTo(ASKS);
    assertThat(tick(2, 1)).isEqualTo(ASKS);
    assertThat(tick(1, 1)).isEqualTo(BEGINS);
    assertThat(tick(3, 1)).isEqualTo(JOINS);
    assertThat(tick(2, 1)).isEqualTo(EXCESS);
    assertThat(tick(0, 1)).isEqualTo(EXCESS);
  }

  @Test
  void a_single_replica_ticks_alone() {
    rounds = new TickRounds(new ReplicaGroup(1, Faults.CRASH), pages);

    assertThat(tick(0, 1)).isEqualTo(BEGINS);
    assertThat(tick(0, 2)).isEqualTo(BEGINS);
  }

  @Test
  void cc39_components_have_rounds_of_their_own() {
    assertThat(tick(2, 1)).isEqualTo(BEGINS);
    assertThat(rounds.round(OTHERS)).isZero();
    assertThat(rounds.judge(OTHERS, new ReplicaId(2), 1)).isEqualTo(BEGINS);
  }

  @Test
  void rounds_are_state_and_nothing_of_them_is_cached() {
    tick(2, 1);
    ReservedPages.Snapshot snapshot = pages.snapshot();
    tick(1, 2);

    pages.restore(snapshot);

    assertThat(rounds.round(OURS)).isEqualTo(1);
    assertThat(tick(0, 1)).isEqualTo(JOINS);
  }

  @ParameterizedTest
  @CsvSource({"4", "7", "10", "13"})
  void cc_l3_as_many_flooders_as_may_lie_begin_no_round(int size) {
    ReplicaGroup cluster = new ReplicaGroup(size, Faults.BYZANTINE);
    SplittableRandom random = new SplittableRandom(size);
    for (int run = 0; run < 50; run++) {
      long flooders = someOf(size, cluster.mayFail(), random);
      rounds = new TickRounds(cluster, new ReservedPages(1 << 20));
      for (int beat = 1; beat < 20; beat++) {
        flood(flooders, size);
        assertThat(rounds.round(OURS)).isEqualTo(beat - 1);
        for (int replica = 0; replica < size; replica++) {
          tick(replica, beat);
        }
        assertThat(rounds.round(OURS)).isEqualTo(beat);
      }
    }
  }

  /**
   * Where replicas only crash, it gains no more than the rounds in a row in which it is in turn.
   */
  @ParameterizedTest
  @CsvSource({"3", "5", "7", "9"})
  void cc_l3_one_flooder_among_replicas_that_only_crash_begins_the_rounds_it_is_in(int size) {
    TickRotation rotation = new TickRotation(new ReplicaGroup(size, Faults.CRASH));
    for (int flooder = 0; flooder < size; flooder++) {
      rounds = new TickRounds(rotation.cluster(), new ReservedPages(1 << 20));
      for (int beat = 0; beat < 50; beat++) {
        long before = rounds.round(OURS);
        flood(1L << flooder, size);
        long next = rounds.round(OURS) + 1;
        assertThat(rotation.isInTurn(new ReplicaId(flooder), next)).isFalse();
        assertThat(tick(rotation.inTurn(next).getFirst().number(), next)).isEqualTo(BEGINS);
        assertThat(rounds.round(OURS) - before).isLessThanOrEqualTo(size);
      }
    }
  }

  private void flood(long flooders, int size) {
    for (int i = 0; i < 3 * size; i++) {
      long round = rounds.round(OURS) + 1;
      for (int replica = 0; replica < size; replica++) {
        if ((flooders & (1L << replica)) != 0) {
          tick(replica, round);
        }
      }
    }
  }

  private static long someOf(int size, int count, SplittableRandom random) {
    long some = 0;
    while (Long.bitCount(some) < count) {
      some |= 1L << random.nextInt(size);
    }
    return some;
  }
}
