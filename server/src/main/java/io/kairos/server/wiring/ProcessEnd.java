package io.kairos.server.wiring;

import io.kairos.engine.loop.Wakeup;
import io.kairos.engine.time.MonotonicClock;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.BooleanSupplier;

/** The end of a node or replica, for which the main thread waits. Thread-safe. */
final class ProcessEnd {
  private static final Duration READY_LOOKS_EVERY = Duration.ofMillis(10);

  private final MonotonicClock monotonic;
  private final CompletableFuture<Integer> code = new CompletableFuture<>();

  ProcessEnd(MonotonicClock monotonic) {
    this.monotonic = monotonic;
  }

  /** Asks for the end, with this {@link ExitCode}; false if the end was asked for before. */
  boolean reach(int exitCode) {
    return code.complete(exitCode);
  }

  boolean isReached() {
    return code.isDone();
  }

  /** Waits for the end and returns its {@link ExitCode}. */
  int await() throws InterruptedException {
    try {
      return code.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Waits until {@code ready}; false after {@code atMost}, and when the end comes first. */
  boolean awaitReady(BooleanSupplier ready, Duration atMost) {
    Wakeup pause = new ParkedWakeup();
    long untilNanos = monotonic.nanos() + atMost.toNanos();
    while (!ready.getAsBoolean()) {
      if (monotonic.nanos() - untilNanos >= 0
          || isReached()
          || Thread.currentThread().isInterrupted()) {
        return false;
      }
      pause.await(READY_LOOKS_EVERY);
    }
    return true;
  }
}
