package io.kairos.simulator.replica;

import io.kairos.domain.page.ReservedPages;
import io.kairos.domain.replica.ReplicaId;
import io.kairos.engine.cron.CronMachine;
import io.kairos.engine.replica.OrderedExecution;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
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
  private final SimCluster sim;
  private final ReplicaTimeline timeline;
  private final ReplicaJudge judge;
  private final SimOutside outside;
  private final List<SimClock> clocks = new ArrayList<>();
  private final List<SimProcess> processes = new ArrayList<>();
  private final List<SimClient> clients = new ArrayList<>();
  private final ReplicaFaults faults;

  /**
   * The result of a seed.
   *
   * @param broken the first rule that was broken, if any
   * @param history equal for equal histories
   * @param happenings how many there were
   */
  public record Outcome(
      long seed,
      Optional<Throwable> broken,
      Map<ReplicaRareState, Integer> rareStates,
      long history,
      long happenings) {
    /** Describes a failure: the rule, the seed, and how to replay it. */
    public String report() {
      return "seed %d: %s%nreplay with -Dsim.seed=%d"
          .formatted(seed, broken.map(Throwable::toString).orElse("nothing broken"), seed);
    }
  }

  private ReplicaSimulation(long seed, SimWiring wiring) {
    SplittableRandom random = new SplittableRandom(seed);
    this.scenario = ReplicaScenario.draw(random.split());
    this.sim = new SimCluster(scenario.cluster(), random.split(), EXECUTION, wiring);
    this.timeline = sim.timeline;
    this.judge = new ReplicaJudge(scenario.cluster(), timeline);
    sim.setWitness(judge);
    for (ReplicaId _ : scenario.cluster().replicas()) {
      clocks.add(new SimClock(timeline, random.split()));
    }
    this.outside = new SimOutside(sim, random.split());
    List<InstantSource> readable = List.copyOf(clocks);
    for (ReplicaId replica : scenario.cluster().replicas()) {
      processes.add(new SimProcess(replica, sim, readable, judge, outside));
    }
    this.faults =
        new ReplicaFaults(sim, outside, processes, clocks, scenario, judge, random.split());
    for (long client = 0; client < CLIENTS; client++) {
      clients.add(new SimClient(client, timeline, processes, random.split()));
    }
    lieSome(random.split());
  }

  private void lieSome(SplittableRandom random) {
    int first = random.nextInt(clocks.size());
    for (int i = 0; i < scenario.wrongClocks(); i++) {
      clocks.get((first + i) % clocks.size()).lie();
      judge.reached(ReplicaRareState.WRONG_CLOCK);
    }
  }

  /** Runs a seed on replicas as in production. */
  public static Outcome run(long seed) {
    return run(seed, SimWiring.PRODUCTION);
  }

  static Outcome run(long seed, SimWiring wiring) {
    ReplicaSimulation simulation = new ReplicaSimulation(seed, wiring);
    Optional<Throwable> broken = Optional.empty();
    try {
      simulation.live();
    } catch (ReplicaRuleViolation e) {
      broken = Optional.of(e);
    }
    return new Outcome(
        seed,
        broken,
        simulation.judge.rareStates(),
        simulation.judge.history(),
        simulation.timeline.count());
  }

  private void live() {
    processes.forEach(SimProcess::start);
    clients.forEach(SimClient::next);
    faults.schedule();
    timeline.runUntil(ReplicaScenario.HEAL_AT_NANOS);
    faults.end();
    timeline.runUntil(ReplicaScenario.CALM_AT_NANOS);
    judge.calm();
    ReservedPages pages = machines().getFirst().pages();
    long anchored = SimApplication.runs(pages, SimApplication.FAST, SimApplication.ANCHORED);
    long delayed = SimApplication.runs(pages, SimApplication.FAST, SimApplication.DELAYED);
    long everyMinute = SimApplication.runs(pages, SimApplication.FAST, SimApplication.CRON);
    timeline.runUntil(ReplicaScenario.STOP_AT_NANOS);
    Duration calm = Duration.ofNanos(ReplicaScenario.STOP_AT_NANOS - ReplicaScenario.CALM_AT_NANOS);
    requireRuns(SimApplication.ANCHORED, anchored, calm.dividedBy(SimApplication.FIXED_RATE), 1);
    // After a tick that comes up to a round late, every time; while clocks lie and flood, agreed
    // time moves in steps of up to the two periods by which it may lag.
    if (scenario.floods()) {
      requireRuns(SimApplication.DELAYED, delayed, calm.dividedBy(Duration.ofSeconds(6)), 15);
    } else {
      requireRuns(SimApplication.DELAYED, delayed, calm.dividedBy(Duration.ofMillis(5_600)), 9);
    }
    requireRuns(SimApplication.CRON, everyMinute, calm.toMinutes(), 1);
    judge.judgeTurns(
        ReplicaScenario.CALM_AT_NANOS + Duration.ofSeconds(10).toNanos(),
        ReplicaScenario.STOP_AT_NANOS - Duration.ofSeconds(10).toNanos());
    clients.forEach(SimClient::stop);
    processes.forEach(SimProcess::stopTicks);
    timeline.runUntil(ReplicaScenario.END_AT_NANOS);
    requireEnd();
  }

  private List<CronMachine> machines() {
    List<CronMachine> machines = new ArrayList<>();
    for (SimProcess process : processes) {
      CronMachine machine = process.machine();
      if (machine == null) {
        throw new ReplicaRuleViolation(ReplicaJudge.ENDS, process.id + " does not run");
      }
      machines.add(machine);
    }
    return machines;
  }

  private void requireRuns(int position, long before, long expected, long give) {
    long runs =
        SimApplication.runs(machines().getFirst().pages(), SimApplication.FAST, position) - before;
    ReplicaJudge.check(
        Math.abs(runs - expected) <= give,
        ReplicaJudge.RUNS,
        () -> "entry %d ran %d times where %d are expected".formatted(position, runs, expected));
  }

  private void requireEnd() {
    List<CronMachine> machines = machines();
    byte[] digest = machines.getFirst().digest();
    for (CronMachine machine : machines) {
      ReplicaJudge.check(
          Arrays.equals(machine.digest(), digest), ReplicaJudge.SAME_STATE, () -> "at the end");
      ReplicaJudge.check(
          SimApplication.runs(machine.pages(), SimApplication.FAST, SimApplication.LIMITED)
              == SimApplication.LIMITED_RUNS,
          ReplicaJudge.LIMITED,
          () -> "an entry that may run 25 times");
      ReplicaJudge.check(
          machine.outbox().count() == 0,
          ReplicaJudge.ENDS,
          () -> machine.outbox().count() + " effects wait");
    }
    judge.judgeEffects(outside);
    for (SimProcess process : processes) {
      SimLog log = process.log();
      ReplicaJudge.check(
          log != null && log.applied() == sim.order.end(),
          ReplicaJudge.ENDS,
          () -> process.id + " has not executed everything");
      ReplicaJudge.check(
          log == null || log.sequence() - log.agreed() < 2L * EXECUTION.digestEvery(),
          ReplicaJudge.COMPARED,
          () -> process.id + " has not heard of its state from enough others");
    }
    for (SimClient client : clients) {
      ReplicaJudge.check(
          !client.isWaiting(), ReplicaJudge.ENDS, () -> "client " + client.number + " waits");
      long executed = SimApplication.requests(machines.getFirst().pages(), client.number);
      ReplicaJudge.check(
          executed == client.requests(),
          ReplicaJudge.ONCE,
          () ->
              "client %d made %d requests, %d were executed"
                  .formatted(client.number, client.requests(), executed));
    }
  }
}
