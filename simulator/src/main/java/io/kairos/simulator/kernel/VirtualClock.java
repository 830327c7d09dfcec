package io.kairos.simulator.kernel;

import io.kairos.engine.time.MonotonicClock;
import java.time.Instant;
import java.time.InstantSource;

/**
 * A wall clock in the simulation: virtual time plus an offset that faults change. The store's clock
 * has no offset.
 */
public final class VirtualClock implements InstantSource {
  private static final Instant EPOCH = Instant.parse("2026-03-01T00:00:00Z");
  public static final long EPOCH_MICROS = EPOCH.getEpochSecond() * 1_000_000;
  private static final long NANOS_PER_SECOND = 1_000_000_000;

  private final Kernel kernel;
  private long offsetNanos;
  private long setAtNanos = Long.MIN_VALUE / 2;
  private long latestMicros = Long.MIN_VALUE;

  public VirtualClock(Kernel kernel) {
    this.kernel = kernel;
  }

  @Override
  public Instant instant() {
    long nanos = kernel.nowNanos() + offsetNanos;
    return Instant.ofEpochSecond(
        EPOCH.getEpochSecond() + Math.floorDiv(nanos, NANOS_PER_SECOND),
        Math.floorMod(nanos, NANOS_PER_SECOND));
  }

  /** Microseconds since the epoch, rounded up like {@link io.kairos.domain.time.EpochMicros#of}. */
  public long micros() {
    return EPOCH_MICROS + Math.ceilDiv(kernel.nowNanos() + offsetNanos, 1_000);
  }

  public long offsetNanos() {
    return offsetNanos;
  }

  /** The latest time that it has ever shown, microseconds since the epoch. */
  public long latestMicros() {
    return Math.max(latestMicros, micros());
  }

  public void setOffset(long nanos) {
    latestMicros = latestMicros();
    offsetNanos = nanos;
    setAtNanos = kernel.nowNanos();
  }

  /** When it was last set, virtual nanoseconds. */
  public long setAtNanos() {
    return setAtNanos;
  }

  /** Elapsed time has no offset, and goes on while a process is frozen. */
  public static MonotonicClock monotonic(Kernel kernel) {
    return kernel::nowNanos;
  }
}
