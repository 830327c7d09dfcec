package io.kairos.simulator.kernel;

/** The fibers of one simulated process, which freeze and die together. */
public final class FiberGroup {
  private final String name;

  /** Virtual time until which none of its fibers runs; in the past when it is not frozen. */
  private long frozenUntilNanos = Long.MIN_VALUE;

  private boolean dead;

  public FiberGroup(String name) {
    this.name = name;
  }

  public void freezeUntil(long nanos) {
    frozenUntilNanos = Math.max(frozenUntilNanos, nanos);
  }

  long frozenUntilNanos() {
    return frozenUntilNanos;
  }

  public boolean isFrozenAt(long nanos) {
    return nanos < frozenUntilNanos;
  }

  public void die() {
    dead = true;
  }

  public boolean isDead() {
    return dead;
  }

  @Override
  public String toString() {
    return name;
  }
}
