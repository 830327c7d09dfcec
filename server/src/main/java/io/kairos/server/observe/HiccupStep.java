package io.kairos.server.observe;

import io.kairos.engine.cluster.PeriodFigures;
import io.kairos.engine.loop.NextRound;
import io.kairos.engine.loop.Step;
import io.kairos.engine.time.MonotonicClock;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Measures the pauses that host and virtual machine cause: asks to run again after ten milliseconds
 * and records how much later it runs (Gil Tene's jHiccup). Its loop waits for nothing else, so
 * these pauses also delay messages, and no code of this process causes them. Costs a quarter of a
 * percent of a core.
 */
public final class HiccupStep implements Step {
  private static final Duration PERIOD = Duration.ofMillis(10);
  private static final double NANOS_PER_SECOND = 1e9;
  private static final int NANOS_PER_MICRO = 1_000;

  private final MonotonicClock monotonic;
  private final DistributionSummary hiccups;
  private final RecentHistogram recent = new RecentHistogram();
  private final AtomicLong largestNanos = new AtomicLong();
  private long parkedAtNanos;
  private boolean parked;

  public HiccupStep(MeterRegistry registry, MonotonicClock monotonic) {
    this.monotonic = monotonic;
    MeterFactory meters = new MeterFactory(registry);
    String about = "How much later than asked a thread ran again";
    this.hiccups = meters.seconds("kairos.host.hiccup", about);
    meters.recent(
        "kairos.host.hiccup.recent", about + ", over the last 15 s, by percentile", recent);
  }

  @Override
  public String name() {
    return "hiccup-meter";
  }

  @Override
  public NextRound runOnce() {
    if (parked) {
      long overshoot = Math.max(0, monotonic.nanos() - parkedAtNanos - PERIOD.toNanos());
      hiccups.record(overshoot / NANOS_PER_SECOND);
      recent.record(overshoot / NANOS_PER_MICRO);
      largestNanos.accumulateAndGet(overshoot, Math::max);
    }
    parked = true;
    parkedAtNanos = monotonic.nanos();
    return NextRound.after(PERIOD);
  }

  /**
   * Updates the recent percentiles, and returns the largest pause since the last call. Called by
   * one thread, every few seconds.
   */
  public PeriodFigures takeFigures() {
    recent.turn();
    return PeriodFigures.ofHiccup(Duration.ofNanos(largestNanos.getAndSet(0)));
  }
}
