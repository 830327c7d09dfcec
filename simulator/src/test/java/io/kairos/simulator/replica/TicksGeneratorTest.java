package io.kairos.simulator.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kairos.domain.cron.ComponentId;
import io.kairos.domain.cron.CronEntry;
import io.kairos.domain.cron.CronListener;
import io.kairos.domain.cron.CronTableRegistry;
import io.kairos.domain.cron.clock.ClockLimits;
import io.kairos.domain.page.ReservedPages;
import io.kairos.domain.replica.ReplicaGroup;
import io.kairos.domain.replica.ReplicaGroup.Faults;
import io.kairos.domain.replica.ReplicaId;
import io.kairos.engine.cron.CronApplication;
import io.kairos.engine.cron.CronMachine;
import io.kairos.engine.cron.TickListener;
import io.kairos.engine.cron.TickStep;
import io.kairos.engine.cron.TicksGenerator;
import io.kairos.engine.replica.ClientId;
import io.kairos.engine.replica.OrderedExecution;
import io.kairos.engine.replica.SubmissionResult;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A generator on a single simulated replica, looked at by hand. */
class TicksGeneratorTest {
  private static final ReplicaId SELF = new ReplicaId(0);
  private static final ComponentId ONE = new ComponentId(1);
  private static final ComponentId TWO = new ComponentId(2);
  private static final Duration PERIOD = Duration.ofMillis(200);
  private static final long MILLI = 1_000_000;

  /** A round takes its period and the way through the order. */
  private static final int LEAST_OF_50 = 35;

  private final ReplicaCluster sim =
      new ReplicaCluster(
          new ReplicaGroup(1, Faults.CRASH),
          new SplittableRandom(1),
          OrderedExecution.Config.DEFAULT,
          ReplicaWiring.PRODUCTION);
  private final List<String> ticks = new ArrayList<>();
  private final List<String> requests = new ArrayList<>();
  private final CronMachine machine =
      new CronMachine(
          new CronMachine.Config(sim.cluster, true, ClockLimits.PUBLISHED, 1 << 20),
          new CronApplication() {
            @Override
            public void build(CronTableRegistry tables, ReservedPages pages) {
              for (ComponentId component : List.of(ONE, TWO)) {
                tables
                    .table(component)
                    .add(
                        new CronEntry(
                            0, _ -> true, _ -> ticks.add(component.value() + "@" + nowMillis())));
              }
            }

            @Override
            public byte[] execute(Request request, ReservedPages pages) {
              return request.body();
            }
          },
          CronListener.NONE,
          TickListener.NONE);
  private final ReplicaLog log = sim.open(SELF, machine);
  private final InstantSource clock = () -> Instant.ofEpochMilli(nowMillis());
  private final TicksGenerator generator =
      new TicksGenerator(log, machine.rounds(), () -> sim.timeline.nowNanos(), clock);

  TicksGeneratorTest() {
    sim.setWitness(
        new ReplicaLogObserver() {
          @Override
          public void executed(
              ReplicaLog executing, long index, SubmissionResult result, boolean isNew) {
            requests.add(index + ": " + executing.lastRequest(ClientId.ofTicks(SELF, ONE)));
          }
        });
    pass(1_000); // a leader is there
  }

  private long nowMillis() {
    return sim.timeline.nowNanos() / MILLI;
  }

  private void pass(long millis) {
    sim.timeline.runUntil(sim.timeline.nowNanos() + millis * MILLI);
  }

  /** Looks every so often. */
  private void look(long millis, long every) {
    for (long passed = 0; passed < millis; passed += every) {
      generator.look();
      pass(every);
    }
  }

  @Test
  void cc33_a_component_is_ticked_for_from_its_start_to_its_stop() {
    look(1_000, 10);
    assertThat(ticks).isEmpty();
    assertThat(generator.period(ONE)).isEmpty();

    generator.start(ONE, PERIOD);
    assertThat(generator.period(ONE)).hasValue(PERIOD);
    look(2_000, 10);
    assertThat(ticks).hasSizeBetween(8, 10).allMatch(tick -> tick.startsWith("1@"));

    generator.stop(ONE);
    assertThat(generator.period(ONE)).isEmpty();
    look(500, 10);
    ticks.clear();
    look(1_000, 10);
    assertThat(ticks).isEmpty();
  }

  @Test
  void cc33_starting_again_changes_the_period_and_zero_stops() {
    generator.start(ONE, PERIOD);
    look(1_000, 10);
    ticks.clear();

    generator.start(ONE, Duration.ofMillis(50));
    look(1_000, 5);
    assertThat(ticks).hasSizeBetween(14, 20);

    generator.start(ONE, Duration.ZERO);
    assertThat(generator.period(ONE)).isEmpty();
    ticks.clear();
    look(100, 10);
    ticks.clear();
    look(1_000, 10);
    assertThat(ticks).isEmpty();
  }

  @Test
  void cc36_a_late_look_sends_one_tick_and_not_those_that_were_missed() {
    generator.start(ONE, PERIOD);
    generator.look();
    pass(5_000);
    generator.look();
    pass(100);
    assertThat(ticks).hasSize(1);
    generator.look();
    pass(50);
    generator.look();
    pass(50);
    assertThat(ticks).hasSize(1);
  }

  @Test
  void cc37_cc41_cc42_while_a_tick_is_being_ordered_no_other_is_sent_and_later_ones_do() {
    generator.start(ONE, PERIOD);
    look(1_000, 10);
    ticks.clear();
    long before = generator.dropped();
    sim.network.lostPerMille = 1_000;
    look(5_000, 10);
    assertThat(ticks).isEmpty();
    assertThat(generator.dropped()).isGreaterThan(before);

    sim.network.lostPerMille = 0;
    look(2_000, 10);
    assertThat(ticks).hasSizeBetween(4, 10);
    assertThat(requests.stream().distinct()).hasSameSizeAs(requests);
  }

  @Test
  void cc38_a_tick_that_is_dropped_on_leaving_the_queue_is_no_longer_pending() {
    generator.start(ONE, PERIOD);
    look(1_000, 10);
    ticks.clear();
    sim.network.droppedPerMille = 1_000;
    look(2_000, 10);
    assertThat(ticks).isEmpty();

    sim.network.droppedPerMille = 0;
    look(1_000, 10);
    assertThat(ticks).isNotEmpty();
  }

  @Test
  void cc39_components_do_not_hold_each_other_back() {
    generator.start(ONE, PERIOD);
    generator.start(TWO, Duration.ofMillis(100));
    look(2_000, 10);

    assertThat(ticks.stream().filter(tick -> tick.startsWith("1@"))).hasSizeBetween(8, 10);
    assertThat(ticks.stream().filter(tick -> tick.startsWith("2@"))).hasSizeBetween(14, 20);
  }

  @Test
  void cc40_ticks_are_numbered_one_by_one_and_go_on_after_a_restart() {
    generator.start(ONE, PERIOD);
    look(1_000, 10);
    long last = log.lastRequest(ClientId.ofTicks(SELF, ONE));
    assertThat(last).isEqualTo(ticks.size());

    TicksGenerator restarted =
        new TicksGenerator(log, machine.rounds(), () -> sim.timeline.nowNanos(), clock);
    restarted.start(ONE, PERIOD);
    for (int i = 0; i < 50; i++) {
      restarted.look();
      pass(10);
    }

    assertThat(log.lastRequest(ClientId.ofTicks(SELF, ONE))).isEqualTo(ticks.size());
    assertThat(ticks).hasSizeGreaterThan((int) last);
  }

  @ParameterizedTest
  @ValueSource(strings = {"PT-1S", "PT0.0001S", "PT24H0.001S"})
  void cc_l6_periods_have_whole_milliseconds(Duration period) {
    assertThatThrownBy(() -> generator.start(ONE, period)).hasMessageContaining("milliseconds");
  }

  @Test
  void cc33_cc43_any_thread_may_start_and_stop() throws InterruptedException {
    int threads = 4;
    CountDownLatch done = new CountDownLatch(threads);
    for (int i = 0; i < threads; i++) {
      ComponentId component = new ComponentId(100L + i);
      Thread.ofVirtual()
          .start(() -> {
            for (int turn = 0; turn < 500; turn++) {
              generator.start(component, PERIOD);
              if (turn % 2 == 0) {
                generator.stop(component);
              }
            }
            done.countDown();
          });
    }
    done.await();

    for (int i = 0; i < threads; i++) {
      assertThat(generator.period(new ComponentId(100L + i))).hasValue(PERIOD);
    }
  }

  @Test
  void cc34_a_step_has_the_logs_thread_look_and_asks_once() {
    TickStep step = new TickStep(log, machine, generator);
    generator.start(ONE, PERIOD);

    for (int i = 0; i < 200; i++) {
      assertThat(step.name()).isEqualTo("ticks");
      Duration wait = step.runOnce().after();
      assertThat(wait).isBetween(Duration.ofMillis(1), Duration.ofSeconds(1));
      pass(Math.max(1, wait.toMillis()));
    }

    assertThat(ticks).hasSizeGreaterThan(5);
  }

  /** In real time no step looks for the tick between two of its rounds. */
  @ParameterizedTest
  @ValueSource(longs = {20, 200, 1_000})
  void cc36_a_step_keeps_the_period(long periodMillis) {
    TickStep step = new TickStep(log, machine, generator);
    generator.start(ONE, Duration.ofMillis(periodMillis));
    long end = nowMillis() + 50 * periodMillis;

    while (nowMillis() < end) {
      pass(Math.max(1, step.runOnce().after().toMillis()));
    }

    assertThat(ticks).hasSizeBetween(LEAST_OF_50, 50);
  }
}
