package io.kairos.simulator.replica;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.domain.cron.AgreedTime;
import io.kairos.domain.cron.CronTable;
import io.kairos.domain.replica.ReplicaGroup;
import io.kairos.domain.replica.ReplicaGroup.Faults;
import io.kairos.domain.replica.ReplicaId;
import io.kairos.simulator.kernel.RareState;
import java.time.Duration;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The whole path, from the start of a generator to an action that ran, with one thing wrong or
 * none.
 */
class QuietClusterTest {
  private static final long SECOND = QuietCluster.SECOND;
  private static final long HOUR = 3_600 * SECOND;

  @ParameterizedTest // CC-L2
  @CsvSource({
    "1, CRASH",
    "3, CRASH",
    "5, CRASH",
    "7, CRASH",
    "4, BYZANTINE",
    "7, BYZANTINE",
    "10, BYZANTINE"
  })
  void cc_f1_cc_l1_undisturbed_a_period_has_one_tick_more_than_may_fail(int size, Faults faults) {
    QuietCluster world = new QuietCluster(new ReplicaGroup(size, faults));

    world.runUntil(HOUR / 2);

    world.judge.judgeTurns(60 * SECOND, HOUR / 2 - 10 * SECOND);
  }

  @ParameterizedTest
  @CsvSource({"3, CRASH", "5, CRASH", "4, BYZANTINE"})
  void cc17_cc32_ticks_alone_make_periodic_actions_run_on_every_replica(int size, Faults faults) {
    QuietCluster world = new QuietCluster(new ReplicaGroup(size, faults));

    world.runUntil(600 * SECOND);

    for (int replica = 0; replica < size; replica++) {
      assertThat(world.runs(replica, ReplicaApplication.ANCHORED)).isBetween(84L, 86L);
      assertThat(world.runs(replica, ReplicaApplication.CRON)).isBetween(9L, 11L);
      assertThat(world.runs(replica, ReplicaApplication.LIMITED)).isEqualTo(25);
      assertThat(world.machine(replica).tables().find(ReplicaApplication.FAST).orElseThrow())
          .extracting(CronTable::failureCount)
          .isNotEqualTo(0L);
    }
  }

  @ParameterizedTest
  @CsvSource({"3, CRASH, 1", "5, CRASH, 2", "7, CRASH, 3", "4, BYZANTINE, 1", "7, BYZANTINE, 2"})
  void cc16_with_as_many_down_as_may_fail_for_an_hour_every_periodic_action_runs(
      int size, Faults faults, int down) {
    QuietCluster world = new QuietCluster(new ReplicaGroup(size, faults));
    world.runUntil(60 * SECOND);
    for (int replica = 0; replica < down; replica++) {
      world.process(replica).end();
    }
    world.runUntil(70 * SECOND);
    long before = world.runs(size - 1, ReplicaApplication.ANCHORED);

    world.runUntil(70 * SECOND + HOUR);

    assertThat(world.runs(size - 1, ReplicaApplication.ANCHORED) - before)
        .isBetween(3_600L / 7 - 1, 3_600L / 7 + 1);
    AgreedTime.At now = (AgreedTime.At) world.machine(size - 1).clock().now();
    assertThat(ReplicaClock.trueMillis(world.sim.timeline) - now.epochMillis())
        .isLessThan(faults == Faults.CRASH ? 4_000 : 8_000);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void cc16_with_any_of_three_down_for_an_hour_no_due_time_is_missed(int down) {
    QuietCluster.Away away =
        QuietCluster.away(
            new ReplicaGroup(3, Faults.CRASH), new ReplicaId(down), Duration.ofHours(1));

    assertThat(away.anchoredDue()).isBetween(513L, 516L);
    assertThat(away.anchored()).isEqualTo(away.anchoredDue());
    assertThat(away.minutelyDue()).isBetween(59L, 61L);
    assertThat(away.minutely()).isEqualTo(away.minutelyDue());
    assertThat(away.delayed()).isGreaterThan(590);
    assertThat(away.isEqualAfter()).isTrue();
  }

  @Test
  void cc_f1_ticks_are_counted_by_round() {
    RoundTicks ticks =
        QuietCluster.ticks(new ReplicaGroup(5, Faults.CRASH), Duration.ofMinutes(10));

    assertThat(ticks.rounds()).isBetween(700, 800);
    assertThat(ticks).isEqualTo(new RoundTicks(ticks.rounds(), 3 * ticks.rounds(), 3, 3));
  }

  @Test
  void cc45_cc46_a_clock_forty_years_off_changes_nothing() {
    QuietCluster right = new QuietCluster(new ReplicaGroup(3, Faults.CRASH));
    QuietCluster wrong = new QuietCluster(new ReplicaGroup(3, Faults.CRASH));
    wrong.clock(1).lie();

    right.runUntil(HOUR / 4);
    wrong.runUntil(HOUR / 4);

    assertThat(wrong.runs(0, ReplicaApplication.ANCHORED))
        .isBetween(
            right.runs(0, ReplicaApplication.ANCHORED) - 1,
            right.runs(0, ReplicaApplication.ANCHORED) + 1);
  }

  @Test
  void cc22_cc47_a_cluster_that_is_down_as_a_whole_goes_on_where_it_was() {
    QuietCluster world = new QuietCluster(new ReplicaGroup(3, Faults.CRASH));
    world.runUntil(300 * SECOND);
    long runs = world.runs(0, ReplicaApplication.ANCHORED);
    world.processes.forEach(ReplicaLife::end);
    world.runUntil(3 * HOUR);
    world.processes.forEach(ReplicaLife::start);
    world.runUntil(3 * HOUR + 70 * SECOND);

    // One for all that were missed, and those of the last 70 seconds.
    assertThat(world.runs(2, ReplicaApplication.ANCHORED) - runs).isBetween(9L, 12L);
    assertThat(world.runs(2, ReplicaApplication.LIMITED)).isEqualTo(25);
  }

  @Test
  void cc31_a_running_replica_that_was_cut_off_gets_a_snapshot_and_is_equal() {
    QuietCluster world = new QuietCluster(new ReplicaGroup(3, Faults.CRASH));
    world.runUntil(60 * SECOND);
    world.sim.network.put(new ReplicaId(2), 5);
    world.sim.elect();
    world.runUntil(1_000 * SECOND);
    world.sim.network.joinAll();
    world.sim.elect();
    world.runUntil(1_100 * SECOND);
    world.processes.forEach(ReplicaLife::stopTicks);
    world.runUntil(1_110 * SECOND);

    assertThat(world.judge.rareStates()).containsKey(RareState.SNAPSHOT_TO_A_RUNNING_REPLICA);
    assertThat(world.machine(2).digest()).isEqualTo(world.machine(0).digest());
  }

  @Test
  void cc_l3_a_flood_of_one_that_lies_makes_no_more_rounds() {
    QuietCluster world = new QuietCluster(new ReplicaGroup(4, Faults.BYZANTINE));
    world.runUntil(60 * SECOND);
    long before = world.machine(0).rounds().round(ReplicaApplication.FAST);
    ReplicaLife flooder = world.process(3);
    for (int i = 0; i < 10_000; i++) {
      long next = world.machine(3).rounds().round(ReplicaApplication.FAST) + 1;
      flooder.flood(ReplicaApplication.FAST, next, 100_000 + i);
      world.runUntil(60 * SECOND + (i + 1) * SECOND / 100);
    }

    assertThat(world.machine(0).rounds().round(ReplicaApplication.FAST) - before)
        .isBetween(80L, 100L);
  }

  @Test
  void cc33_a_generator_that_is_stopped_is_missed_by_nobody() {
    QuietCluster world = new QuietCluster(new ReplicaGroup(3, Faults.CRASH));
    world.runUntil(60 * SECOND);
    world.process(0).stopTicks();
    long before = world.machine(0).rounds().round(ReplicaApplication.FAST);

    world.runUntil(160 * SECOND);

    assertThat(world.machine(0).rounds().round(ReplicaApplication.FAST) - before)
        .isBetween(95L, 100L);
  }

  @Test
  void cc16_one_generator_alone_does_not_tick_for_all() {
    QuietCluster world = new QuietCluster(new ReplicaGroup(3, Faults.CRASH));
    world.runUntil(60 * SECOND);
    world.process(0).stopTicks();
    world.process(1).stopTicks();
    long before = world.machine(0).rounds().round(ReplicaApplication.FAST);
    world.runUntil(160 * SECOND);

    // It is in turn in two rounds of three and waits at the third.
    assertThat(world.machine(0).rounds().round(ReplicaApplication.FAST) - before).isLessThan(4);
  }

  @ParameterizedTest
  @CsvSource({"3, CRASH, 1", "5, CRASH, 2", "7, BYZANTINE, 2"})
  void r13_with_as_many_down_as_may_fail_everything_that_was_decided_is_done_outside(
      int size, Faults faults, int down) {
    QuietCluster world = new QuietCluster(new ReplicaGroup(size, faults));
    for (int replica = 0; replica < down; replica++) {
      world.process(replica).end();
    }
    world.runUntil(HOUR / 4);
    world.outside.heal();
    world.processes.forEach(ReplicaLife::stopTicks);
    world.runUntil(HOUR / 4 + 120 * SECOND);

    assertThat(world.runs(size - 1, ReplicaApplication.ASKED_IN_TURN)).isGreaterThan(3);
    assertThat(world.machine(size - 1).outbox().count()).isZero();
    world.judge.judgeEffects(world.outside);
  }

  @Test
  void digests_of_all_replicas_are_equal_at_the_end() {
    QuietCluster world = new QuietCluster(new ReplicaGroup(5, Faults.CRASH));
    world.runUntil(HOUR / 6);
    world.processes.forEach(ReplicaLife::stopTicks);
    world.runUntil(HOUR / 6 + Duration.ofSeconds(10).toNanos());

    byte[] digest = world.machine(0).digest();
    for (int replica = 1; replica < 5; replica++) {
      assertThat(Arrays.equals(world.machine(replica).digest(), digest)).isTrue();
    }
  }
}
