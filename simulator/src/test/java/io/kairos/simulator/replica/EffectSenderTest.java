package io.kairos.simulator.replica;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.domain.cron.ComponentId;
import io.kairos.domain.cron.CronEntry;
import io.kairos.domain.cron.CronListener;
import io.kairos.domain.cron.CronTableRegistry;
import io.kairos.domain.cron.clock.ClockLimits;
import io.kairos.domain.cron.outbox.Effect;
import io.kairos.domain.cron.outbox.Effect.Asking;
import io.kairos.domain.cron.outbox.EffectOutbox;
import io.kairos.domain.page.ReservedPages;
import io.kairos.domain.replica.ReplicaGroup;
import io.kairos.domain.replica.ReplicaGroup.Faults;
import io.kairos.domain.replica.ReplicaId;
import io.kairos.engine.cron.CronApplication;
import io.kairos.engine.cron.CronMachine;
import io.kairos.engine.cron.EffectSender;
import io.kairos.engine.cron.EffectSink;
import io.kairos.engine.cron.LogCommand;
import io.kairos.engine.cron.TickListener;
import io.kairos.engine.replica.ClientId;
import io.kairos.engine.replica.OrderedExecution;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** The effects of a single simulated replica, looked at by hand. */
class EffectSenderTest {
  private static final ReplicaId SELF = new ReplicaId(0);
  private static final ComponentId OURS = new ComponentId(7);
  private static final int POSITION = 5;
  private static final long MILLI = 1_000_000;

  private final ReplicaCluster sim =
      new ReplicaCluster(
          new ReplicaGroup(1, Faults.CRASH),
          new SplittableRandom(1),
          OrderedExecution.Config.DEFAULT,
          ReplicaWiring.PRODUCTION);
  private final List<String> asked = new ArrayList<>();
  private final List<Consumer<EffectSink.Answer>> answers = new ArrayList<>();
  private long ticks;
  private CronMachine machine = machine();
  private ReplicaLog log = sim.open(SELF, machine);
  private EffectSender sender = sender();

  private static CronMachine machine() {
    return new CronMachine(
        new CronMachine.Config(
            new ReplicaGroup(1, Faults.CRASH), true, ClockLimits.PUBLISHED, 1 << 26),
        new CronApplication() {
          @Override
          public void build(CronTableRegistry tables, ReservedPages pages) {
            EffectOutbox outbox = new EffectOutbox(pages);
            tables
                .table(OURS)
                .add(
                    new CronEntry(
                        POSITION,
                        _ -> true,
                        tick -> outbox.put(tick, POSITION, Asking.IN_TURN, new byte[] {1})));
          }

          @Override
          public byte[] execute(Request request, ReservedPages pages) {
            return request.body();
          }
        },
        CronListener.NONE,
        TickListener.NONE);
  }

  private EffectSender sender() {
    return new EffectSender(
        log,
        machine.outbox(),
        this::ask,
        () -> sim.timeline.nowNanos(),
        new SplittableRandom(ticks));
  }

  private void ask(Effect effect, Consumer<EffectSink.Answer> answered) {
    asked.add(effect.id().toString());
    answers.add(answered);
  }

  private void pass(long millis) {
    sim.timeline.runUntil(sim.timeline.nowNanos() + millis * MILLI);
  }

  /** Looks every 100 ms. */
  private void look(long millis) {
    for (long passed = 0; passed < millis; passed += 100) {
      sender.look();
      pass(100);
    }
  }

  private void tick() {
    ticks++;
    log.submit(
        ClientId.ofTicks(SELF, OURS),
        ticks,
        new LogCommand.Tick(OURS, ticks, ticks).encode(),
        _ -> {});
    pass(2_000);
  }

  @Test
  void an_effect_is_wanted_then_asked_for_then_done_and_forgotten() {
    tick();
    assertThat(machine.outbox().count()).isEqualTo(1);
    sender.look();
    assertThat(asked).isEmpty();
    pass(1_000);
    assertThat(machine.outbox().waiting().getFirst().wantedBy()).isEqualTo(SELF.bit());

    look(20_000);
    assertThat(asked).containsExactly("7-5-1");
    answers.getFirst().accept(EffectSink.Answer.DONE);
    assertThat(machine.outbox().count()).isEqualTo(1);
    look(2_000);

    assertThat(machine.outbox().count()).isZero();
    assertThat(asked).hasSize(1);
    assertThat(log.sequence()).isEqualTo(3);
  }

  @Test
  void what_is_not_known_to_be_done_is_asked_for_again_after_five_seconds() {
    tick();
    look(1_000);
    answers.getFirst().accept(EffectSink.Answer.NOT_KNOWN);

    look(4_900);
    assertThat(asked).hasSize(1);
    look(300);
    assertThat(asked).containsExactly("7-5-1", "7-5-1");
  }

  @Test
  void what_is_said_and_dropped_is_said_again() {
    tick();
    sim.network.droppedPerMille = 1_000;
    look(2_000);
    assertThat(asked).isEmpty();

    sim.network.droppedPerMille = 0;
    look(1_000);
    assertThat(asked).hasSize(1);
  }

  @Test
  void what_was_executed_long_after_it_was_said_is_said_again_before_anybody_is_asked() {
    tick();
    sender.look();
    log.freeze(25_000 * MILLI);
    pass(26_000);
    long said = log.lastRequest(ClientId.ofEffects(SELF));

    sender.look();
    pass(1_000);
    assertThat(asked).isEmpty();
    assertThat(log.lastRequest(ClientId.ofEffects(SELF))).isGreaterThan(said);

    sender.look();
    assertThat(asked).hasSize(1);
  }

  @Test
  void what_a_crash_left_unanswered_is_asked_for_by_the_next_life() {
    tick();
    look(1_000);
    assertThat(asked).hasSize(1);

    sim.crash(SELF);
    answers.getFirst().accept(EffectSink.Answer.DONE);
    machine = machine();
    log = sim.open(SELF, machine);
    sender = sender();
    pass(2_000);
    look(2_000);

    assertThat(asked).containsExactly("7-5-1", "7-5-1");
    answers.getLast().accept(EffectSink.Answer.DONE);
    look(1_000);
    assertThat(machine.outbox().count()).isZero();
  }

  @Test
  void so_many_are_asked_for_at_a_time() {
    for (int i = 0; i < 150; i++) {
      tick();
    }
    look(1_000);
    assertThat(asked).hasSize(100).startsWith("7-5-1", "7-5-2");

    List.copyOf(answers).forEach(answered -> answered.accept(EffectSink.Answer.DONE));
    look(2_000);
    assertThat(asked).hasSize(150).doesNotHaveDuplicates();
    assertThat(machine.outbox().count()).isEqualTo(50);
  }
}
