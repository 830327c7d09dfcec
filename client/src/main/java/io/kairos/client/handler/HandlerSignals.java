package io.kairos.client.handler;

import java.util.concurrent.CancellationException;

/**
 * The exceptions by which a handler says how its attempt ends: {@link FatalFailure}, {@link
 * RetryLater}, {@link Snooze}, {@link NotBegun}, and {@link CancellationException} for a cancelled
 * attempt.
 */
public final class HandlerSignals {
  private static final int MOST_CAUSES = 50;

  private HandlerSignals() {}

  /** Returns whether an exception is one of them. */
  public static boolean isSignal(Throwable thrown) {
    return thrown instanceof FatalFailure
        || thrown instanceof RetryLater
        || thrown instanceof Snooze
        || thrown instanceof NotBegun
        || thrown instanceof CancellationException;
  }

  /**
   * Throws the first of these exceptions, or the first {@link Error}, that an exception is or has
   * among its causes; returns when there is none. For codecs: a parser wraps what constructors and
   * serializers of the application throw, and a class that the worker lacks is no fault of the
   * payload.
   */
  public static void rethrow(Throwable thrown) {
    Throwable one = thrown;
    for (int i = 0; one != null && i < MOST_CAUSES; i++) {
      if (one instanceof Error error) {
        throw error;
      }
      if (isSignal(one)) {
        throw (RuntimeException) one;
      }
      one = one.getCause();
    }
  }
}
