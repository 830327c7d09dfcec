package io.kairos.hashgraph;

/** The one thread of a log, on which its core and its state machine run. */
public interface LogThread {
  /** True on this thread. */
  boolean isCurrent();

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
