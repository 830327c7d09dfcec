package io.kairos.simulator.replica;

import static io.kairos.simulator.kernel.RareState.WRONG_CLOCK;
import static io.kairos.simulator.replica.ReplicaApplication.ANCHORED;
import static io.kairos.simulator.replica.ReplicaApplication.CRON;
import static io.kairos.simulator.replica.ReplicaApplication.DELAYED;
import static io.kairos.simulator.replica.ReplicaApplication.FAST;
import static io.kairos.simulator.replica.ReplicaApplication.FIXED_RATE;
import static io.kairos.simulator.replica.ReplicaApplication.LIMITED_RUNS;
import static io.kairos.simulator.replica.ReplicaJudge.COMPARED;
import static io.kairos.simulator.replica.ReplicaJudge.ENDS;
import static io.kairos.simulator.replica.ReplicaJudge.ONCE;
import static io.kairos.simulator.replica.ReplicaJudge.RUNS;
import static io.kairos.simulator.replica.ReplicaJudge.SAME_STATE;

import io.kairos.domain.page.ReservedPages;
import io.kairos.engine.cron.CronMachine;
import io.kairos.engine.replica.OrderedExecution;
import io.kairos.simulator.kernel.RuleViolation;
import io.kairos.simulator.kernel.SimulationOutcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * Runs one seed: a cluster of replicas through a virtual hour of faults, judged by rules. The same
 * seed gives the same history on any machine.
 */
public final class ReplicaSimulation {
  private static final int CLIENTS = 3;
  private static final OrderedExecution.Config EXECUTION = new OrderedExecution.Config(1_000, 100);

  private final ReplicaScenario scenario;
  private final ReplicaWorld world;
  private final List<ReplicaClient> clients = new ArrayList<>();
  private final ReplicaFaults faults;

  private ReplicaSimulation(long seed, ReplicaWiring wiring) {
    SplittableRandom random = new SplittableRandom(seed);
    this.scenario = ReplicaScenario.draw(random.split());
    ReplicaCluster sim = new ReplicaCluster(scenario.cluster(), random.split(), EXECUTION, wiring);
    this.world = new ReplicaWorld(sim, random);
    this.faults = new ReplicaFaults(world, scenario, random.split());
    for (long client = 0; client < CLIENTS; client++) {
      clients.add(new ReplicaClient(client, world, random.split()));
    }
    lieSome(random.split());
  }

  private void lieSome(SplittableRandom random) {
    int first = random.nextInt(world.clocks.size());
    for (int i = 0; i < scenario.wrongClocks(); i++) {
      world.clocks.get((first + i) % world.clocks.size()).lie();
      world.judge.reached(WRONG_CLOCK);
    }
  }

  /** Runs a seed on replicas as in production. */
  public static SimulationOutcome run(long seed) {
    return run(seed, ReplicaWiring.PRODUCTION);
  }

  /** Runs a seed on replicas that are put together in another way. */
  public static SimulationOutcome run(long seed, ReplicaWiring wiring) {
    ReplicaSimulation simulation = new ReplicaSimulation(seed, wiring);
    Optional<Throwable> broken = Optional.empty();
    try {
      simulation.live();
    } catch (RuleViolation e) {
      broken = Optional.of(e);
    }
    return new SimulationOutcome(
        seed,
        broken,
        simulation.world.judge.rareStates(),
        simulation.world.judge.history(),
        simulation.world.timeline.count(),
        List.of());
  }

  private void live() {
    world.processes.forEach(ReplicaLife::start);
    clients.forEach(ReplicaClient::next);
    faults.schedule();
    world.timeline.runUntil(ReplicaScenario.HEAL_AT_NANOS);
    faults.end();
    world.timeline.runUntil(ReplicaScenario.CALM_AT_NANOS);
    world.judge.calm();
    ReservedPages pages = machines().getFirst().pages();
    long anchored = ReplicaApplication.runs(pages, FAST, ANCHORED);
    long delayed = ReplicaApplication.runs(pages, FAST, DELAYED);
    long everyMinute = ReplicaApplication.runs(pages, FAST, CRON);
    world.timeline.runUntil(ReplicaScenario.STOP_AT_NANOS);
    Duration calm = Duration.ofNanos(ReplicaScenario.STOP_AT_NANOS - ReplicaScenario.CALM_AT_NANOS);
    requireRuns(ANCHORED, anchored, calm.dividedBy(FIXED_RATE), 1);
    // After a tick that comes up to a round late, every time; while clocks lie and flood, agreed
    // time moves in steps of up to the two periods by which it may lag.
    if (scenario.floods()) {
      requireRuns(DELAYED, delayed, calm.dividedBy(Duration.ofSeconds(6)), 15);
    } else {
      requireRuns(DELAYED, delayed, calm.dividedBy(Duration.ofMillis(5_600)), 9);
    }
    requireRuns(CRON, everyMinute, calm.toMinutes(), 1);
    world.judge.judgeTurns(
        ReplicaScenario.CALM_AT_NANOS + Duration.ofSeconds(10).toNanos(),
        ReplicaScenario.STOP_AT_NANOS - Duration.ofSeconds(10).toNanos());
    clients.forEach(ReplicaClient::stop);
    world.processes.forEach(ReplicaLife::stopTicks);
    world.timeline.runUntil(ReplicaScenario.END_AT_NANOS);
    requireEnd();
  }

  private List<CronMachine> machines() {
    List<CronMachine> machines = new ArrayList<>();
    for (ReplicaLife process : world.processes) {
      CronMachine machine = process.machine();
      if (machine == null) {
        throw new RuleViolation(ENDS, process.id + " does not run");
      }
      machines.add(machine);
    }
    return machines;
  }

  private void requireRuns(int position, long before, long expected, long give) {
    long runs = ReplicaApplication.runs(machines().getFirst().pages(), FAST, position) - before;
    ReplicaJudge.check(
        Math.abs(runs - expected) <= give,
        RUNS,
        () -> "entry %d ran %d times where %d are expected".formatted(position, runs, expected));
  }

  private void requireEnd() {
    List<CronMachine> machines = machines();
    byte[] digest = machines.getFirst().digest();
    for (CronMachine machine : machines) {
      ReplicaJudge.check(Arrays.equals(machine.digest(), digest), SAME_STATE, () -> "at the end");
      ReplicaJudge.check(
          ReplicaApplication.runs(machine.pages(), FAST, ReplicaApplication.LIMITED)
              == LIMITED_RUNS,
          ReplicaJudge.LIMITED,
          () -> "an entry that may run 25 times");
      ReplicaJudge.check(
          machine.outbox().count() == 0, ENDS, () -> machine.outbox().count() + " effects wait");
    }
    world.judge.judgeEffects(world.outside);
    for (ReplicaLife process : world.processes) {
      ReplicaLog log = process.log();
      ReplicaJudge.check(
          log != null && log.applied() == world.sim.order.end(),
          ENDS,
          () -> process.id + " has not executed everything");
      ReplicaJudge.check(
          log == null || log.sequence() - log.agreed() < 2L * EXECUTION.digestEvery(),
          COMPARED,
          () -> process.id + " has not heard of its state from enough others");
    }
    for (ReplicaClient client : clients) {
      ReplicaJudge.check(!client.isWaiting(), ENDS, () -> "client " + client.number + " waits");
      long executed = ReplicaApplication.requests(machines.getFirst().pages(), client.number);
      ReplicaJudge.check(
          executed == client.requests(),
          ONCE,
          () ->
              "client %d made %d requests, %d were executed"
                  .formatted(client.number, client.requests(), executed));
    }
  }
}
