package io.kairos.simulator.replica;

import static io.kairos.simulator.kernel.RareState.ALL_DOWN;
import static io.kairos.simulator.kernel.RareState.FLOODED;
import static io.kairos.simulator.kernel.RareState.LEADER_CRASHED;
import static io.kairos.simulator.kernel.RareState.WIPED;
import static io.kairos.simulator.replica.ReplicaApplication.FAST;

import io.kairos.domain.replica.ReplicaId;
import io.kairos.engine.cron.CronMachine;
import io.kairos.engine.replica.ClientId;
import java.util.SplittableRandom;

/** Faults of a cluster of replicas, one every few seconds, until the world is healed. */
final class ReplicaFaults {
  private static final long MILLI = 1_000_000;
  private static final long SECOND = 1_000 * MILLI;
  private static final int KINDS = 12;

  private final ReplicaWorld world;
  private final ReplicaCluster sim;
  private final ReplicaScenario scenario;
  private final SplittableRandom random;
  private boolean ended;

  ReplicaFaults(ReplicaWorld world, ReplicaScenario scenario, SplittableRandom random) {
    this.world = world;
    this.sim = world.sim;
    this.scenario = scenario;
    this.random = random;
  }

  void schedule() {
    sim.timeline.after(
        random.nextLong(2 * SECOND, 40 * SECOND),
        () -> {
          if (!ended) {
            strike();
            schedule();
          }
        });
  }

  /** Ends all faults, starts every replica and heals the network. */
  void end() {
    ended = true;
    sim.network.heal();
    world.outside.heal();
    world.processes.forEach(ReplicaLife::start);
    sim.elect();
    sim.cluster.replicas().forEach(sim::deliver);
  }

  private ReplicaLife some() {
    return world.processes.get(random.nextInt(world.processes.size()));
  }

  private void strike() {
    switch (random.nextInt(KINDS)) {
      case 0 -> crash(some(), random.nextLong(SECOND / 2, 60 * SECOND));
      case 1 ->
          sim.leader()
              .ifPresent(leader -> {
                world.judge.reached(LEADER_CRASHED);
                crash(world.processes.get(leader.number()), random.nextLong(SECOND, 20 * SECOND));
              });
      case 2 -> wipe(some());
      case 3 -> split();
      case 4 -> cutOff(some());
      case 5 -> {
        ReplicaLog log = some().log();
        if (log != null) {
          log.freeze(random.nextLong(100 * MILLI, 10 * SECOND));
        }
      }
      case 6 -> {
        sim.network.lostPerMille = random.nextInt(50, 300);
        after(random.nextLong(5 * SECOND, 60 * SECOND), () -> sim.network.lostPerMille = 0);
      }
      case 7 -> {
        sim.network.slowness = random.nextInt(2, 50);
        after(random.nextLong(5 * SECOND, 30 * SECOND), () -> sim.network.slowness = 1);
      }
      case 8 -> {
        sim.network.droppedPerMille = random.nextInt(100, 400);
        after(random.nextLong(5 * SECOND, 30 * SECOND), () -> sim.network.droppedPerMille = 0);
      }
      case 9 -> allDown();
      case 10 -> world.outside.goAway(random.nextLong(5 * SECOND, 60 * SECOND));
      default -> flood();
    }
  }

  /** Runs an action later, unless all faults have ended by then. */
  private void after(long nanos, Runnable action) {
    sim.timeline.after(
        nanos,
        () -> {
          if (!ended) {
            action.run();
          }
        });
  }

  private void crash(ReplicaLife process, long awayNanos) {
    process.end();
    after(awayNanos, process::start);
  }

  private void wipe(ReplicaLife process) {
    if (sim.couldDoWithout(process.id)) {
      world.judge.reached(WIPED);
      process.end();
      sim.wipe(process.id);
      after(random.nextLong(SECOND, 20 * SECOND), process::start);
    }
  }

  private void split() {
    for (ReplicaId replica : sim.cluster.replicas()) {
      sim.network.put(replica, random.nextInt(2));
    }
    sim.elect();
    after(random.nextLong(SECOND, 40 * SECOND), this::join);
  }

  private void cutOff(ReplicaLife process) {
    sim.network.put(process.id, 1 + process.id.number());
    sim.elect();
    after(random.nextLong(60 * SECOND, 240 * SECOND), this::join);
  }

  private void join() {
    sim.network.joinAll();
    sim.elect();
    sim.cluster.replicas().forEach(sim::deliver);
  }

  private void allDown() {
    if (random.nextInt(3) == 0) {
      world.judge.reached(ALL_DOWN);
      world.processes.forEach(process -> crash(process, random.nextLong(SECOND / 2, 20 * SECOND)));
    }
  }

  /** Replicas with a wrong clock send ticks that could count, and some that cannot. */
  private void flood() {
    if (!scenario.floods()) {
      return;
    }
    world.judge.reached(FLOODED);
    long until = sim.timeline.nowNanos() + random.nextLong(10 * SECOND, 60 * SECOND);
    for (ReplicaLife process : world.processes) {
      if (world.clocks.get(process.id.number()).lies()) {
        floodOn(process, until);
      }
    }
  }

  private void floodOn(ReplicaLife process, long untilNanos) {
    if (ended || sim.timeline.nowNanos() > untilNanos) {
      return;
    }
    CronMachine machine = process.machine();
    ReplicaLog log = process.log();
    if (machine != null && log != null) {
      long request = log.lastRequest(ClientId.ofTicks(process.id, FAST)) + 1;
      long round = machine.rounds().round(FAST) + random.nextInt(-1, 4);
      process.flood(FAST, Math.max(0, round), request);
    }
    after(random.nextLong(50 * MILLI, 200 * MILLI), () -> floodOn(process, untilNanos));
  }
}
