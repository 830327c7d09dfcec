package io.kairos.server.wiring;

import io.kairos.engine.loop.Wakeup;
import io.kairos.engine.time.Monotonic;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.BooleanSupplier;

/** When what a process runs has to end, for which its main thread waits. Thread-safe. */
final class ProcessEnd {
  private static final Duration READY_LOOKS_EVERY = Duration.ofMillis(10);

  private final Monotonic monotonic;
  private final CompletableFuture<Integer> code = new CompletableFuture<>();

  ProcessEnd(Monotonic monotonic) {
    this.monotonic = monotonic;
  }

  /**
   * It has to end, with this {@link ExitCode}; false if that was so before, perhaps with another.
   */
  boolean reach(int exitCode) {
    return code.complete(exitCode);
  }

  boolean isReached() {
    return code.isDone();
  }

  /** Waits for it and returns with which {@link ExitCode}. */
  int await() throws InterruptedException {
    try {
      return code.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Waits until it is ready; false when it was not in time, or the end was reached before. */
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
