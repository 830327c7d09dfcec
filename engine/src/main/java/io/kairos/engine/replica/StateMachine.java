package io.kairos.engine.replica;

/**
 * What a replicated log drives: the same requests make the same state. All calls come on the one
 * thread of the log that executes; none may block, read a clock, draw chance or depend on the
 * replica that it runs on. An exception is a broken invariant and stops the replica.
 */
public interface StateMachine {
  /** Executes a request and returns its reply. */
  byte[] execute(Ordered request);

  /** The whole state, between two requests. */
  byte[] snapshot();

  /** Replaces the whole state, also of a machine that has been running (CC-31). */
  void restore(byte[] snapshot);

  /** Equal for equal states. */
  byte[] digest();
}
