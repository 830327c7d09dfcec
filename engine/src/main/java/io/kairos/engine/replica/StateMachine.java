package io.kairos.engine.replica;

/**
 * A deterministic state machine driven by a replicated log: equal requests make equal states. All
 * calls come on the log's thread; none may block, read a clock, use randomness or depend on the
 * replica. An exception is a broken invariant and stops the replica.
 */
public interface StateMachine {
  /** Executes a request and returns its reply. */
  byte[] execute(OrderedRequest request);

  /** The whole state, between two requests. */
  byte[] snapshot();

  /** Replaces the whole state, also of a machine that has been running. */
  void restore(byte[] snapshot);

  /** A digest of the whole state, equal for equal states. */
  byte[] digest();
}
