package io.kairos.simulator;

import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** A machine with a clock on which a node's program is started again and again. */
final class SimNode<P extends NodeProcess> {
  private final World world;
  private final String name;
  private final SimClock clock;
  private final BiFunction<String, SimClock, P> program;
  private @Nullable P process;
  private int starts;

  /**
   * @param program starts a run by its name
   */
  SimNode(World world, String name, BiFunction<String, SimClock, P> program) {
    this.world = world;
    this.name = name;
    this.program = program;
    this.clock = new SimClock(world.kernel());
  }

  void startAfter(long nanos) {
    world.kernel().after(nanos, this::start);
  }

  private void start() {
    if (process == null) {
      String run = name + "#" + ++starts;
      world.ledger().note(40, () -> run + " starts");
      process = program.apply(run, clock);
    }
  }

  /** The running program, or null while none runs. */
  @Nullable P process() {
    @Nullable P running = process;
    if (running != null && !running.isAlive()) {
      process = null;
      return null;
    }
    return running;
  }

  SimClock clock() {
    return clock;
  }

  void crash() {
    @Nullable P running = process();
    if (running != null) {
      running.crash();
    }
    process = null;
  }

  void heal(long clockOffsetNanos) {
    clock.setOffset(clockOffsetNanos);
    @Nullable P running = process();
    if (running == null) {
      start();
    } else {
      running.removeTraps();
      running.storeAway = false;
    }
  }

  void end() {
    @Nullable P running = process;
    if (running != null) {
      running.process().die();
    }
  }

  @Override
  public String toString() {
    return name;
  }
}
