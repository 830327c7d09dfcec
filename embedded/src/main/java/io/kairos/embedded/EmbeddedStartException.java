package io.kairos.embedded;

import java.io.IOException;

/**
 * An embedded engine could not be started (or came up in a state it must not run in). The message
 * is one sentence for the person at the terminal; {@link #problem()} lets the caller add what only
 * it knows, such as the name of its configuration key.
 */
public final class EmbeddedStartException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Why it did not start, for callers that want to add the remedy in their own words. */
  public enum Problem {
    /** Another process (or another object of this JVM) uses the data directory. */
    DIRECTORY_IN_USE,
    /** The data directory cannot be read, written or understood. */
    DIRECTORY_UNUSABLE,
    /** Another process listens on the port. */
    PORT_TAKEN,
    /** Postgres refuses to run as root and no way was found to drop root's rights. */
    ROOT_NOT_POSSIBLE,
    /** There are no Postgres binaries for this operating system and processor. */
    PLATFORM_NOT_SUPPORTED,
    /** The process may open fewer files than the engine needs. */
    TOO_FEW_FILES,
    /** A setting that protects committed data is off. */
    NOT_DURABLE,
    /** The engine ended while starting; the message quotes its log. */
    ENDED_EARLY,
    /** The engine was not ready before the deadline. */
    TOO_SLOW,
    /** The starting thread was interrupted; its interrupt flag is set. */
    INTERRUPTED
  }

  private final Problem problem;

  EmbeddedStartException(Problem problem, String message) {
    super(message);
    this.problem = problem;
  }

  EmbeddedStartException(Problem problem, String message, Throwable cause) {
    super(message, cause);
    this.problem = problem;
  }

  /** The message says what cannot be done; the cause is appended to it. */
  static EmbeddedStartException unusable(String what, IOException cause) {
    return new EmbeddedStartException(Problem.DIRECTORY_UNUSABLE, what + ": " + cause, cause);
  }

  public Problem problem() {
    return problem;
  }
}
