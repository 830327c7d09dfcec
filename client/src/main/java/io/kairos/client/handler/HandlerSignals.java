package io.kairos.client.handler;

/**
 * The exceptions by which a handler says how its attempt ends: {@link FatalFailure}, {@link
 * RetryLater}, {@link Snooze} and {@link NotBegun}.
 */
public final class HandlerSignals {
  /** A chain of causes may be a ring. */
  private static final int MOST_CAUSES = 50;

  private HandlerSignals() {}

  /** Returns whether an exception is one of them. */
  public static boolean isSignal(Throwable thrown) {
    return thrown instanceof FatalFailure
        || thrown instanceof RetryLater
        || thrown instanceof Snooze
        || thrown instanceof NotBegun;
  }

  /**
   * Throws the first of these exceptions, or the first error of the JVM, that an exception is or
   * has among its causes; returns normally when there is none. For codecs that decode: a parser
   * wraps what constructors of the application throw, and a class that the worker lacks or memory
   * that it has not is no fault of the payload. An overflow of the stack is: the payload is nested
   * too deeply.
   */
  public static void rethrow(Throwable thrown) {
    Throwable one = thrown;
    for (int i = 0; one != null && i < MOST_CAUSES; i++) {
      if (one instanceof LinkageError error) {
        throw error;
      }
      if (one instanceof VirtualMachineError error && !(one instanceof StackOverflowError)) {
        throw error;
      }
      if (isSignal(one)) {
        throw (RuntimeException) one;
      }
      one = one.getCause();
    }
  }
}
