package io.kairos.bench.observe;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;

/**
 * Measures the delay that the machine adds to every wait: parks for a millisecond again and again
 * and records how much it overslept, corrected for the parks that a long one has covered (Tene,
 * jHiccup). On a busy machine lateness means little without this figure. Uses one daemon thread.
 */
public final class HiccupMeter implements AutoCloseable {
  private static final long PARK_NANOS = Duration.ofMillis(1).toNanos();
  private static final long PARK_MICROS = PARK_NANOS / 1_000;
  private static final long HIGHEST_MICROS = Duration.ofHours(1).toNanos() / 1_000;

  private final Recorder recorder = new Recorder(HIGHEST_MICROS, 3);
  private final Thread thread =
      Thread.ofPlatform().name("bench-hiccup-meter").daemon().unstarted(this::run);
  private volatile boolean closed;

  public static HiccupMeter start() {
    HiccupMeter meter = new HiccupMeter();
    meter.thread.start();
    return meter;
  }

  private void run() {
    long before = System.nanoTime();
    while (!closed) {
      LockSupport.parkNanos(PARK_NANOS);
      long now = System.nanoTime();
      long overslept = Math.clamp((now - before - PARK_NANOS) / 1_000, 0, HIGHEST_MICROS);
      recorder.recordValueWithExpectedInterval(overslept, PARK_MICROS);
      before = now;
    }
  }

  /** The record since the last call of this method or of {@link #forget}. */
  public LatenessSummary take() {
    Histogram interval = recorder.getIntervalHistogram();
    return LatenessSummary.ofMicros(interval);
  }

  /** Leaves out what was recorded so far, for example the warm-up. */
  public void forget() {
    recorder.reset();
  }

  @Override
  public void close() {
    closed = true;
  }
}
