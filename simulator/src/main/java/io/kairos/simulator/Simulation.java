package io.kairos.simulator;

import io.kairos.simulator.delay.DelayCluster;
import io.kairos.simulator.delay.DelayWiring;
import io.kairos.simulator.kernel.SimulatedCluster;
import io.kairos.simulator.kernel.SimulationOutcome;
import io.kairos.simulator.kernel.SimulationSubject;
import io.kairos.simulator.replica.ReplicaSimulation;
import io.kairos.simulator.schedule.ScheduleCluster;
import io.kairos.simulator.schedule.ScheduleWiring;
import io.kairos.simulator.task.GraphCluster;
import io.kairos.simulator.task.TaskCluster;
import io.kairos.simulator.task.TaskWiring;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Runs one seed: three production nodes through some virtual minutes of work and faults, judged by
 * every checker. The same seed gives the same history on any machine.
 */
public final class Simulation {
  /**
   * Real time after which a simulation counts as hung: a fiber waits for something real. A long run
   * that gets the processor only when nobody else wants it needs more.
   */
  private static final Duration HANGS_AFTER =
      Duration.ofSeconds(Long.getLong("sim.hangs-after-seconds", 60));

  private Simulation() {}

  /** Runs a seed on nodes, or replicas, as in production. */
  public static SimulationOutcome run(SimulationSubject subject, long seed, boolean keepsLines) {
    return switch (subject) {
      case DELAY_QUEUE -> run(seed, DelayWiring.PRODUCTION, keepsLines);
      case TASKS -> run(seed, TaskWiring.PRODUCTION, keepsLines);
      case GRAPHS -> runGraphs(seed, TaskWiring.PRODUCTION, keepsLines);
      case SCHEDULES -> run(seed, ScheduleWiring.PRODUCTION, keepsLines);
      case REPLICAS -> ReplicaSimulation.run(seed);
    };
  }

  /**
   * Runs a seed on nodes of the delay queue that are put together in another way.
   *
   * @param keepsLines keeps the end of the history in words, for reading; slower
   */
  public static SimulationOutcome run(long seed, DelayWiring wiring, boolean keepsLines) {
    return run(seed, new DelayCluster(seed, wiring, keepsLines));
  }

  /** Runs a seed on nodes of tasks that are put together in another way. */
  public static SimulationOutcome run(long seed, TaskWiring wiring, boolean keepsLines) {
    return run(seed, new TaskCluster(seed, wiring, keepsLines));
  }

  /**
   * Runs a seed of tasks that wait for each other on nodes that are put together in another way.
   */
  public static SimulationOutcome runGraphs(long seed, TaskWiring wiring, boolean keepsLines) {
    return run(seed, new GraphCluster(seed, wiring, keepsLines));
  }

  /** Runs a seed on nodes of schedules that are put together in another way. */
  public static SimulationOutcome run(long seed, ScheduleWiring wiring, boolean keepsLines) {
    return run(seed, new ScheduleCluster(seed, wiring, keepsLines));
  }

  private static SimulationOutcome run(long seed, SimulatedCluster<?, ?> world) {
    CountDownLatch ended = new CountDownLatch(1);
    world.start(ended::countDown);
    try {
      if (!ended.await(HANGS_AFTER.toMillis(), TimeUnit.MILLISECONDS)) {
        throw new AssertionError(
            "seed " + seed + " hangs: a fiber waits outside the virtual clock");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    }
    return new SimulationOutcome(
        seed,
        Optional.ofNullable(world.kernel.failure()),
        world.ledger.rareStates(),
        world.ledger.digest(),
        world.kernel.dispatched(),
        world.ledger.lines());
  }
}
