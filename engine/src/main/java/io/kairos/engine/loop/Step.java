package io.kairos.engine.loop;

import java.util.function.Supplier;

/**
 * One activity of a node, such as intake or firing. {@link #runOnce} does one bounded round and
 * returns when the step wants to run again. One thread at a time calls it: a {@link Loop} in
 * production, the simulator in tests. Steps reach the outside only through ports.
 */
public interface Step {
  /** For thread names, logs and metrics; lower case with hyphens. */
  String name();

  /**
   * Does one round.
   *
   * @throws IllegalStateException when an invariant is broken: the node must stop
   * @throws RuntimeException for trouble outside; the round is tried again after a backoff
   */
  NextRound runOnce();

  /** A step of this name whose rounds a function does. */
  static Step of(String name, Supplier<NextRound> round) {
    return new Named(name, round);
  }

  /** A name and a function. */
  record Named(String name, Supplier<NextRound> round) implements Step {
    @Override
    public NextRound runOnce() {
      return round.get();
    }
  }
}
