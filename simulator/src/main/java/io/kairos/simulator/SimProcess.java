package io.kairos.simulator;

/** What can be frozen as a whole: the fibers of one simulated process. */
final class SimProcess {
  private final String name;

  /** Virtual time until which none of its fibers runs; in the past when it is not frozen. */
  private long frozenUntilNanos = Long.MIN_VALUE;

  private boolean dead;

  SimProcess(String name) {
    this.name = name;
  }

  void freezeUntil(long nanos) {
    frozenUntilNanos = Math.max(frozenUntilNanos, nanos);
  }

  long frozenUntilNanos() {
    return frozenUntilNanos;
  }

  boolean isFrozenAt(long nanos) {
    return nanos < frozenUntilNanos;
  }

  void die() {
    dead = true;
  }

  boolean isDead() {
    return dead;
  }

  @Override
  public String toString() {
    return name;
  }
}
