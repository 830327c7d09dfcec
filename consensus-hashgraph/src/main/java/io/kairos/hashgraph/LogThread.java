package io.kairos.hashgraph;

/** The one thread of a log, on which its core and its state machine run. */
public interface LogThread {
  /** True on this thread. */
  boolean isCurrent();

  /** Processor time that this thread has used, in nanoseconds; 0 where nobody measures it. */
  long processorNanos();

  /** Runs code in turn. */
  default void post(Runnable code) {
    post(code, () -> {});
  }

  /**
   * Runs code in turn.
   *
   * @param instead runs on any thread when the code never will
   */
  void post(Runnable code, Runnable instead);
}
