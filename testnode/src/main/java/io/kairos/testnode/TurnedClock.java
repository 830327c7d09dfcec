package io.kairos.testnode;

import io.kairos.engine.loop.Wakeup;
import io.kairos.engine.loop.WakeupFactory;
import io.kairos.engine.time.MonotonicClock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * A clock that stands still until it is advanced; then all waiting threads wake up. Waits also end
 * after a few milliseconds of real time, so that no thread waits for ever. Thread-safe.
 */
final class TurnedClock implements InstantSource, MonotonicClock, WakeupFactory {
  private static final Duration LONGEST_REAL_WAIT = Duration.ofMillis(20);

  private final Instant start;
  private final List<Turned> wakeups = new CopyOnWriteArrayList<>();
  private volatile Instant now;

  TurnedClock(Instant start) {
    this.start = start.truncatedTo(ChronoUnit.MICROS);
    this.now = this.start;
  }

  @Override
  public Instant instant() {
    return now;
  }

  @Override
  public long nanos() {
    return Duration.between(start, now).toNanos();
  }

  /** Advances the clock, never backwards. */
  void turnTo(Instant time) {
    if (time.isAfter(now)) {
      now = time.truncatedTo(ChronoUnit.MICROS);
      wakeups.forEach(Turned::signal);
    }
  }

  @Override
  public Wakeup create() {
    Turned made = new Turned();
    wakeups.add(made);
    return made;
  }

  private static final class Turned implements Wakeup {
    private final Semaphore signals = new Semaphore(0);

    @Override
    public void signal() {
      if (signals.availablePermits() == 0) {
        signals.release();
      }
    }

    @Override
    public void await(Duration atMost) {
      try {
        if (signals.tryAcquire(LONGEST_REAL_WAIT.toMillis(), TimeUnit.MILLISECONDS)) {
          signals.drainPermits();
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
