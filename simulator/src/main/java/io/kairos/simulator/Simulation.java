package io.kairos.simulator;

import io.kairos.simulator.delay.DelayCluster;
import io.kairos.simulator.delay.DelayWiring;
import io.kairos.simulator.kernel.RareState;
import io.kairos.simulator.kernel.SimulatedCluster;
import io.kairos.simulator.kernel.SimulationHistory;
import io.kairos.simulator.kernel.SimulationSubject;
import io.kairos.simulator.schedule.ScheduleCluster;
import io.kairos.simulator.schedule.ScheduleWiring;
import io.kairos.simulator.task.TaskCluster;
import io.kairos.simulator.task.TaskWiring;
import java.time.Duration;
import java.util.List;
import java.util.Map;
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

  /**
   * The result of a seed.
   *
   * @param broken the first rule that was broken, if any
   * @param digest equal for equal histories
   * @param events how many events were simulated
   * @param lines the last lines of the history, if they were kept
   */
  public record Outcome(
      long seed,
      Optional<Throwable> broken,
      Map<RareState, Integer> rareStates,
      long digest,
      long events,
      List<String> lines) {
    /** Describes a failure: the rule, the seed, and how to replay it. */
    public String report() {
      return "seed "
          + seed
          + ": "
          + broken.map(Throwable::getMessage).orElse("nothing broken")
          + "\nreplay with -Dsim.seed="
          + seed
          + (lines.isEmpty() ? "" : "\n" + String.join("\n", lines));
    }
  }

  /** Runs a seed on nodes as in production. */
  public static Outcome run(SimulationSubject subject, long seed, boolean keepsLines) {
    return switch (subject) {
      case DELAY_QUEUE -> run(seed, DelayWiring.PRODUCTION, keepsLines);
      case TASKS -> run(seed, TaskWiring.PRODUCTION, keepsLines);
      case SCHEDULES -> run(seed, ScheduleWiring.PRODUCTION, keepsLines);
    };
  }

  /**
   * Runs a seed on nodes of the delay queue that are put together in another way.
   *
   * @param keepsLines keeps the end of the history in words, for reading; slower
   */
  public static Outcome run(long seed, DelayWiring wiring, boolean keepsLines) {
    return run(seed, new DelayCluster(seed, wiring, keepsLines));
  }

  /** Runs a seed on nodes of tasks that are put together in another way. */
  public static Outcome run(long seed, TaskWiring wiring, boolean keepsLines) {
    return run(seed, new TaskCluster(seed, wiring, keepsLines));
  }

  /** Runs a seed on nodes of schedules that are put together in another way. */
  public static Outcome run(long seed, ScheduleWiring wiring, boolean keepsLines) {
    return run(seed, new ScheduleCluster(seed, wiring, keepsLines));
  }

  private static Outcome run(long seed, SimulatedCluster world) {
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
    SimulationHistory ledger = world.ledger();
    return new Outcome(
        seed,
        Optional.ofNullable(world.kernel.failure()),
        ledger.rareStates(),
        ledger.digest(),
        world.kernel.dispatched(),
        ledger.lines());
  }
}
