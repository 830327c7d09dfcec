package io.kairos.server.observe;

import io.kairos.domain.schedule.definition.ScheduleName;
import io.kairos.domain.schedule.fire.FireCause;
import io.kairos.domain.schedule.fire.LedgerEntry;
import io.kairos.domain.schedule.fire.SkipCause;
import io.kairos.engine.cluster.PeriodFigures;
import io.kairos.engine.schedule.ScheduleEvents;
import io.kairos.engine.schedule.port.NextTrigger;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Metrics and logs of schedules. Thread-safe. */
public final class ScheduleMetrics implements ScheduleEvents {
  private static final Logger LOG = LoggerFactory.getLogger(ScheduleMetrics.class);
  private static final Duration LATE = Duration.ofSeconds(1);
  private static final double NANOS_PER_SECOND = 1e9;
  private static final double MILLIS_PER_SECOND = 1e3;

  private final MeterFactory.Kinds<FireCause> fired;
  private final MeterFactory.Kinds<SkipCause> skipped;
  private final Counter late;
  private final Counter failed;
  private final DistributionSummary lateness;
  private final AtomicLong firedInPeriod = new AtomicLong();
  private final AtomicLong skippedInPeriod = new AtomicLong();
  private final AtomicLong putOffInPeriod = new AtomicLong();
  private volatile double untilNext = Double.NaN;

  public ScheduleMetrics(MeterRegistry registry) {
    MeterFactory meters = new MeterFactory(registry);
    fired =
        meters.counters(
            List.of(FireCause.values()),
            "kairos.schedule.fired",
            "Runs made by schedules",
            "cause",
            MeterFactory::word);
    skipped =
        meters.counters(
            List.of(SkipCause.values()),
            "kairos.schedule.skipped",
            "Fire times, or ranges of them, that were skipped",
            "reason",
            MeterFactory::word);
    late = meters.counter("kairos.schedule.late", "Fire times that fired more than a second late");
    failed =
        meters.counter(
            "kairos.schedule.failed", "Schedules that could not be fired and were put off");
    lateness =
        meters.seconds(
            "kairos.schedule.lateness", "From a fire time to the decision that fires it");
    meters.gaugeOfSeconds(
        "kairos.schedule.next",
        "Until a schedule wants to be looked at; negative while one waits for it",
        () -> untilNext);
  }

  /** The counts since the last call. Called by one thread. */
  public PeriodFigures takeFigures() {
    return PeriodFigures.ofSchedules(
        firedInPeriod.getAndSet(0), skippedInPeriod.getAndSet(0), putOffInPeriod.getAndSet(0));
  }

  @Override
  public void looked(NextTrigger agenda) {
    Instant next = agenda.nextAt();
    untilNext =
        next == null
            ? Double.NaN
            : Duration.between(agenda.now(), next).toMillis() / MILLIS_PER_SECOND;
  }

  @Override
  public void decided(List<LedgerEntry> entries) {
    entries.forEach(this::decided);
  }

  private void decided(LedgerEntry entry) {
    SkipCause reason = entry.reason();
    if (reason != null) {
      skipped.increment(reason);
      Long count = entry.count();
      skippedInPeriod.addAndGet(count == null ? 1 : count);
      return;
    }
    fired.increment(entry.cause());
    firedInPeriod.incrementAndGet();
    if (entry.cause() == FireCause.SCHEDULE) {
      lateness.record(entry.late().toNanos() / NANOS_PER_SECOND);
      if (entry.late().compareTo(LATE) > 0) {
        late.increment();
      }
    }
  }

  @Override
  public void failed(ScheduleName schedule, RuntimeException why) {
    failed.increment();
    putOffInPeriod.incrementAndGet();
    LOG.atError()
        .addKeyValue("schedule", schedule)
        .setCause(why)
        .log("a schedule cannot be fired and is put off; the others go on");
  }

  @Override
  public void clockJumped(Duration by) {
    LOG.atError()
        .addKeyValue("millis", by.toMillis())
        .log("the store's clock has jumped forward; no schedule fires until it has stayed so");
  }

  @Override
  public void clockBelieved() {
    LOG.atWarn().log("the store's clock is believed again; schedules fire");
  }
}
