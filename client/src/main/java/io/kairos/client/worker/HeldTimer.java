package io.kairos.client.worker;

import io.kairos.client.time.ActionTimer;
import io.kairos.client.time.ClientTime;
import java.time.Duration;

/**
 * Measures how long the actions of a timer hold up its thread. They call code of the user: the
 * listener, {@code haltBy} and {@code isReady}, which may block. A thread that is late for another
 * reason did not run, and nor did the process. The measure is read by the actions themselves.
 */
final class HeldTimer implements ActionTimer {
  private final ActionTimer timer;
  private final ClientTime time;

  /** Touched by the actions alone, one after the other. */
  private long heldNanos;

  HeldTimer(ActionTimer timer, ClientTime time) {
    this.timer = timer;
    this.time = time;
  }

  @Override
  public Cancellation after(Duration delay, Runnable action) {
    return timer.after(
        delay,
        () -> {
          long since = time.nanos();
          try {
            action.run();
          } finally {
            heldNanos += time.nanos() - since;
          }
        });
  }

  /** Returns for how many nanoseconds actions have run since the last call. */
  long takeHeldNanos() {
    long held = heldNanos;
    heldNanos = 0;
    return held;
  }

  @Override
  public void close() {
    timer.close();
  }
}
