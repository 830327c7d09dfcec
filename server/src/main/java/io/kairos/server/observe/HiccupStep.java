package io.kairos.server.observe;

import io.kairos.engine.loop.Next;
import io.kairos.engine.loop.Step;
import io.kairos.engine.time.Monotonic;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;

/**
 * Measures what the host and the virtual machine take away from everybody: asks to run again after
 * ten milliseconds and records how much later it does (Gil Tene's jHiccup). Its loop waits for
 * nothing else, so what shows up here is in the lateness of messages too, and is nobody's fault in
 * this process. Costs a quarter of a percent of a core.
 */
public final class HiccupStep implements Step {
  private static final Duration PERIOD = Duration.ofMillis(10);
  private static final double NANOS_PER_SECOND = 1e9;
  private static final int NANOS_PER_MICRO = 1_000;

  private final Monotonic monotonic;
  private final DistributionSummary hiccups;
  private final RecentHistogram recent = new RecentHistogram();
  private long parkedAtNanos;
  private boolean parked;

  public HiccupStep(MeterRegistry registry, Monotonic monotonic) {
    this.monotonic = monotonic;
    this.hiccups =
        Meters.seconds(
            registry, "kairos.host.hiccup", "How much later than asked a thread ran again");
    Meters.recent(
        registry,
        "kairos.host.hiccup.recent",
        "How much later than asked a thread ran again, over the last 15 s, by percentile",
        recent);
  }

  @Override
  public String name() {
    return "hiccup-meter";
  }

  @Override
  public Next runOnce() {
    if (parked) {
      long overshoot = Math.max(0, monotonic.nanos() - parkedAtNanos - PERIOD.toNanos());
      hiccups.record(overshoot / NANOS_PER_SECOND);
      recent.record(overshoot / NANOS_PER_MICRO);
    }
    parked = true;
    parkedAtNanos = monotonic.nanos();
    return Next.after(PERIOD);
  }

  /** By the observing step's thread. */
  void turn() {
    recent.turn();
  }
}
