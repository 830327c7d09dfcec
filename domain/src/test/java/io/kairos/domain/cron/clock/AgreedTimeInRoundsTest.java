package io.kairos.domain.cron.clock;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.domain.cron.AgreedTime;
import io.kairos.domain.cron.ComponentId;
import io.kairos.domain.cron.round.TickRotation;
import io.kairos.domain.cron.round.TickRounds;
import io.kairos.domain.cron.round.TickVerdict;
import io.kairos.domain.page.ReservedPages;
import io.kairos.domain.replica.ReplicaGroup;
import io.kairos.domain.replica.ReplicaGroup.Faults;
import io.kairos.domain.replica.ReplicaId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Rounds and clock together, for every set of replicas that may fail: who is in turn ticks when the
 * period is over, who is not asks a period later. Correct clocks show the true time, or a little
 * less.
 */
class AgreedTimeInRoundsTest {
  private static final ComponentId OURS = new ComponentId(1);
  private static final long PERIOD = 1_000;
  private static final long SKEW = 40;
  private static final int ROUNDS = 60;

  /** How wrong clocks lie. */
  private interface Lie {
    long at(long trueMillis, int turn);
  }

  private static final List<Lie> LIES =
      List.of(
          (now, _) -> now + 40L * 365 * 86_400_000,
          (now, _) -> now - 40L * 365 * 86_400_000,
          (now, turn) -> turn % 2 == 0 ? now + 2_000 : now - 2_000,
          (_, _) -> 0);

  /** One life of a cluster. */
  private static final class Life {
    private final ReplicaGroup cluster;
    private final TickRotation rotation;
    private final TickRounds rounds;
    private final AgreedClock clock;
    private final long faulty;
    private final Random random = new Random(1);
    private long now = 100_000;
    private long last = Long.MIN_VALUE;
    private long worstLag;
    private int evaluations;

    /**
     * @param faulty as bits
     */
    Life(ReplicaGroup cluster, long faulty) {
      ReservedPages pages = new ReservedPages(1 << 20);
      this.cluster = cluster;
      this.rotation = new TickRotation(cluster);
      this.rounds = new TickRounds(cluster, pages);
      this.clock = new AgreedClock(cluster, ClockLimits.PUBLISHED, pages);
      this.faulty = faulty;
    }

    private boolean isFaulty(ReplicaId replica) {
      return (faulty & (1L << replica.number())) != 0;
    }

    /**
     * @param lie of the faulty ones; null if they are gone
     */
    void live(@Nullable Lie lie) {
      for (long round = 1; round <= ROUNDS; round++) {
        now += PERIOD;
        tick(rotation.inTurn(round), round, lie);
        if (rounds.round(OURS) < round) {
          now += PERIOD;
          tick(cluster.replicas(), round, lie);
        }
        assertThat(rounds.round(OURS)).isEqualTo(round);
      }
    }

    private void tick(List<ReplicaId> replicas, long round, @Nullable Lie lie) {
      List<ReplicaId> order = new ArrayList<>(replicas);
      Collections.shuffle(order, random);
      for (ReplicaId replica : order) {
        if (!isFaulty(replica)) {
          execute(replica, round, now - random.nextLong(SKEW));
        } else if (lie != null) {
          execute(replica, round, lie.at(now, (int) round));
        }
      }
    }

    private void execute(ReplicaId replica, long round, long reading) {
      TickVerdict verdict = rounds.judge(OURS, replica, round);
      if (!verdict.evaluates()) {
        clock.note(replica, reading);
        return;
      }
      evaluations++;
      AgreedTime time = clock.advance(replica, reading, 4L * cluster.size());
      if (round > 2L * cluster.size()) {
        long millis = ((AgreedTime.At) time).epochMillis();
        // Ticks of the same moment are an epsilon apart.
        assertThat(millis).isGreaterThan(last).isLessThanOrEqualTo(now + cluster.size());
        last = millis;
        worstLag = Math.max(worstLag, now - millis);
      }
    }
  }

  private static List<Long> setsOf(int size, int atMost) {
    List<Long> sets = new ArrayList<>();
    for (long set = 0; set < 1L << size; set++) {
      if (Long.bitCount(set) <= atMost) {
        sets.add(set);
      }
    }
    return sets;
  }

  @ParameterizedTest
  @CsvSource({"1, CRASH", "2, CRASH", "3, CRASH", "4, CRASH", "5, CRASH", "7, CRASH"})
  void with_any_that_may_crash_gone_no_round_is_late_and_time_lags_by_two_periods_at_most(
      int size, Faults faults) {
    ReplicaGroup cluster = new ReplicaGroup(size, faults);
    for (long gone : setsOf(size, cluster.mayFail())) {
      Life life = new Life(cluster, gone);
      life.live(null);

      assertThat(life.now).as("all in time, without %s", gone).isEqualTo(100_000 + ROUNDS * PERIOD);
      assertThat(life.worstLag).as("without " + gone).isLessThanOrEqualTo(2 * PERIOD + SKEW);
    }
  }

  @ParameterizedTest
  @CsvSource({"4, BYZANTINE", "7, BYZANTINE", "10, BYZANTINE"})
  void with_any_that_may_lie_gone_rounds_go_on_and_time_lags_by_two_of_them_at_most(
      int size, Faults faults) {
    ReplicaGroup cluster = new ReplicaGroup(size, faults);
    for (long gone : setsOf(size, cluster.mayFail())) {
      Life life = new Life(cluster, gone);
      life.live(null);

      long round = gone == 0 ? PERIOD : 2 * PERIOD;
      assertThat(life.worstLag).as("without " + gone).isLessThanOrEqualTo(2 * round + SKEW);
    }
  }

  @ParameterizedTest
  @CsvSource({"4, BYZANTINE", "7, BYZANTINE", "10, BYZANTINE", "3, CRASH", "5, CRASH", "7, CRASH"})
  void no_minority_of_clocks_bends_time_either_way_while_all_are_there(int size, Faults faults) {
    ReplicaGroup cluster = new ReplicaGroup(size, faults);
    for (long liars : setsOf(size, cluster.mayFail())) {
      for (Lie lie : LIES) {
        Life life = new Life(cluster, liars);
        life.live(lie);

        assertThat(life.worstLag).as("with liars " + liars).isLessThanOrEqualTo(2 * PERIOD + SKEW);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"3, CRASH, 2", "5, CRASH, 3", "7, CRASH, 4"})
  void cc_f1_undisturbed_each_round_has_one_tick_more_than_may_fail(
      int size, Faults faults, int ticks) {
    Life life = new Life(new ReplicaGroup(size, faults), 0);
    life.live(null);

    assertThat(life.evaluations).isEqualTo(ROUNDS * ticks);
  }

  @Test // CC-16
  void cc_f1_where_replicas_may_lie_the_last_of_these_ticks_evaluates() {
    Life life = new Life(new ReplicaGroup(7, Faults.BYZANTINE), 0);
    life.live(null);

    assertThat(life.evaluations).isEqualTo(ROUNDS);
  }
}
