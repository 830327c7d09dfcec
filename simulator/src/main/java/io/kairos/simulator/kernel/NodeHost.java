package io.kairos.simulator.kernel;

import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** A machine with a clock on which a node's program is started again and again. */
public final class NodeHost<P extends NodeRun<?>> {
  private final SimulatedCluster<?, ?> world;
  private final String name;
  final VirtualClock clock;
  private final BiFunction<String, VirtualClock, P> program;
  private @Nullable P process;
  private int starts;

  /**
   * @param program starts a run by its name
   */
  public NodeHost(
      SimulatedCluster<?, ?> world, String name, BiFunction<String, VirtualClock, P> program) {
    this.world = world;
    this.name = name;
    this.program = program;
    this.clock = new VirtualClock(world.kernel);
  }

  void startAfter(long nanos) {
    world.kernel.after(nanos, this::start);
  }

  private void start() {
    if (process == null) {
      String run = name + "#" + ++starts;
      world.ledger.note(40, () -> run + " starts");
      process = program.apply(run, clock);
    }
  }

  /** The running program, or null while none runs. */
  @Nullable
  public P process() {
    @Nullable P running = process;
    if (running != null && !running.isAlive()) {
      process = null;
      return null;
    }
    return running;
  }

  public void crash() {
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
      running.process.die();
    }
  }

  @Override
  public String toString() {
    return name;
  }
}
