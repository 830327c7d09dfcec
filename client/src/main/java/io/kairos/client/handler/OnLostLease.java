package io.kairos.client.handler;

/**
 * What becomes of a handler that still runs at the end of the grace time after its lease was lost.
 * In all cases it was interrupted before, and its result is not sent.
 */
public enum OnLostLease {
  /**
   * The handler is abandoned: it keeps its executor until it returns, and another worker may
   * perform the task meanwhile.
   */
  ABANDON,

  /**
   * The whole JVM is halted, so that executions of one task do not overlap while the JVM is
   * running. It cannot help while the JVM is stopped: {@link FencedWrites} can. Ends everything in
   * the JVM, without shutdown hooks, so it suits a process that only performs tasks.
   */
  HALT_JVM
}
