package io.kairos.simulator.replica;

import static io.kairos.simulator.replica.ReplicaApplication.FAST;
import static io.kairos.simulator.replica.ReplicaApplication.SLOW;

import io.kairos.domain.cron.ComponentId;
import io.kairos.domain.cron.clock.ClockLimits;
import io.kairos.domain.cron.outbox.EffectOutbox;
import io.kairos.domain.replica.ReplicaId;
import io.kairos.engine.cron.CronMachine;
import io.kairos.engine.cron.EffectSender;
import io.kairos.engine.cron.LogCommand;
import io.kairos.engine.cron.TickStep;
import io.kairos.engine.cron.TicksGenerator;
import io.kairos.engine.loop.Step;
import io.kairos.engine.replica.ClientId;
import io.kairos.engine.replica.ReplicatedLog;
import io.kairos.engine.replica.RequestOrigin;
import io.kairos.engine.replica.VoteSender;
import io.kairos.engine.time.MonotonicClock;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A replica's process, which is started and ended again and again: the production machine and
 * generator.
 */
final class ReplicaLife {
  static final Map<ComponentId, Duration> PERIODS =
      Map.of(FAST, Duration.ofSeconds(1), SLOW, Duration.ofSeconds(3));
  private static final long MAX_BYTES = 1 << 22;

  final ReplicaId id;
  private final ReplicaCluster sim;
  private final List<InstantSource> clocks;
  private final ReplicaJudge judge;
  private final EffectTarget outside;
  private boolean ticks = true;
  private @Nullable Life life;

  /** Objects that live from one start to the next end. */
  private record Life(CronMachine machine, ReplicaLog log, TicksGenerator generator) {}

  ReplicaLife(
      ReplicaId id,
      ReplicaCluster sim,
      List<InstantSource> clocks,
      ReplicaJudge judge,
      EffectTarget outside) {
    this.id = id;
    this.sim = sim;
    this.clocks = clocks;
    this.judge = judge;
    this.outside = outside;
  }

  @Nullable CronMachine machine() {
    Life running = life;
    return running == null ? null : running.machine();
  }

  @Nullable ReplicaLog log() {
    Life running = life;
    return running == null ? null : running.log();
  }

  void start() {
    if (life != null) {
      return;
    }
    ReplicaWiring wiring = sim.wiring;
    InstantSource clock = wiring.clock(id, clocks);
    ReplicaJudge.Seen seen = new ReplicaJudge.Seen();
    CronMachine machine =
        new CronMachine(
            new CronMachine.Config(sim.cluster, true, ClockLimits.PUBLISHED, MAX_BYTES),
            wiring.application(new ReplicaApplication(), id),
            seen,
            seen);
    ReplicaLog log = sim.open(id, wiring.machine(machine));
    judge.watch(log, seen);
    ReplicatedLog seenBySenders = wiring.log(log);
    MonotonicClock monotonic = () -> sim.timeline.nowNanos();
    TicksGenerator generator =
        new TicksGenerator(seenBySenders, machine.rounds(), monotonic, clock);
    Life started = new Life(machine, log, generator);
    life = started;
    if (ticks) {
      PERIODS.forEach(generator::start);
    }
    if (wiring.allTick()) {
      PERIODS.forEach((component, period) -> tickAlways(started, component, period));
    } else {
      drive(started, new TickStep(seenBySenders, machine, generator));
    }
    drive(started, VoteSender.step(seenBySenders));
    EffectOutbox outbox = machine.outbox();
    EffectSender effects =
        new EffectSender(
            wiring.logOfEffects(log),
            outbox,
            wiring.sink(outside.seenBy(id, outbox), id),
            monotonic,
            outside.chance());
    drive(started, effects.step());
  }

  /** Runs a step whenever it wants, as a loop does in production. */
  private void drive(Life now, Step step) {
    if (now.equals(life)) {
      sim.timeline.after(step.runOnce().after().toNanos(), () -> drive(now, step));
    }
  }

  /** Ticks as Concord does: every replica, every period. */
  private void tickAlways(Life now, ComponentId component, Duration period) {
    sim.timeline.after(
        period.toNanos(),
        () -> {
          if (ticks && now.equals(life)) {
            long request = now.log().lastRequest(ClientId.ofTicks(id, component)) + 1;
            flood(component, now.machine().rounds().round(component) + 1, request);
            tickAlways(now, component, period);
          }
        });
  }

  /** Puts a tick past its own log into the order. */
  void flood(ComponentId component, long round, long request) {
    sim.propose(
        id,
        new RequestOrigin(ClientId.ofTicks(id, component), request, id),
        new LogCommand.Tick(component, round, clocks.get(id.number()).millis()).encode(),
        () -> {});
  }

  void end() {
    life = null;
    sim.crash(id);
  }

  /** Stops the ticks of this replica. */
  void stopTicks() {
    ticks = false;
    Life running = life;
    if (running != null) {
      PERIODS.keySet().forEach(running.generator()::stop);
    }
  }
}
