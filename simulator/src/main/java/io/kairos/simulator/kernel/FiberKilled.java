package io.kairos.simulator.kernel;

/**
 * Unwinds a fiber whose process was killed. An Error, because production code never catches those:
 * to it, this is the end of the world.
 */
final class FiberKilled extends Error {
  private static final long serialVersionUID = 1L;

  FiberKilled() {
    super("the process of this fiber was killed", null, false, false);
  }
}
