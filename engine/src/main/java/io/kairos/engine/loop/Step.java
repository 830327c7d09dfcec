package io.kairos.engine.loop;

/**
 * One activity of a node, such as intake or firing. {@link #runOnce} does one bounded round and
 * says when it wants to run again. It is called by one thread at a time: a {@link Loop} in
 * production, the simulator in tests. Ports are its only way to the outside.
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
  Next runOnce();
}
