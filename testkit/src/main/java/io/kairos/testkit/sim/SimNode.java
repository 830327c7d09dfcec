package io.kairos.testkit.sim;

import org.jspecify.annotations.Nullable;

/** A machine with a clock on which a node's program is started again and again. */
final class SimNode {
  private final World world;
  private final String name;
  private final SimClock clock;
  private @Nullable NodeProcess process;
  private int starts;

  SimNode(World world, String name) {
    this.world = world;
    this.name = name;
    this.clock = new SimClock(world.kernel());
  }

  void startAfter(long nanos) {
    world.kernel().after(nanos, this::start);
  }

  private void start() {
    if (process == null) {
      String run = name + "#" + ++starts;
      world.ledger().note(40, () -> run + " starts");
      process = new NodeProcess(world, run, clock);
    }
  }

  /** The running program, or null while none runs. */
  @Nullable NodeProcess process() {
    NodeProcess running = process;
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
    NodeProcess running = process();
    if (running != null) {
      running.crash();
    }
    process = null;
  }

  void heal(long clockOffsetNanos) {
    clock.setOffset(clockOffsetNanos);
    NodeProcess running = process();
    if (running == null) {
      start();
    } else {
      running.removeTraps();
      running.storeAway = false;
    }
  }

  void end() {
    NodeProcess running = process;
    if (running != null) {
      running.process().die();
    }
  }

  @Override
  public String toString() {
    return name;
  }
}
