package io.kairos.cli.terminal;

import java.time.Duration;

/** The terminal that a command runs in, and the passing of time. Used by the main thread only. */
public interface Terminal {
  /** Returns true when a person reads the output and can answer questions. */
  boolean isInteractive();

  /** Asks a question, and returns true for yes. Only for an interactive terminal. */
  boolean confirms(String question);

  void sleep(Duration time) throws InterruptedException;
}
