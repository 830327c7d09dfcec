package io.kairos.server.observe;

import static io.kairos.server.observe.Meters.counter;

import io.kairos.domain.schedule.fire.Cause;
import io.kairos.domain.schedule.fire.LedgerEntry;
import io.kairos.domain.schedule.fire.Reason;
import io.kairos.domain.schedule.fire.ScheduleName;
import io.kairos.engine.schedule.ScheduleEvents;
import io.kairos.engine.schedule.port.Agenda;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Counts and logs what the node does with schedules. Thread-safe. */
public final class ScheduleMetrics implements ScheduleEvents {
  private static final Logger LOG = LoggerFactory.getLogger(ScheduleMetrics.class);
  private static final Duration LATE = Duration.ofSeconds(1);
  private static final double NANOS_PER_SECOND = 1e9;
  private static final double MILLIS_PER_SECOND = 1e3;

  private final Map<Cause, Counter> fired = new EnumMap<>(Cause.class);
  private final Map<Reason, Counter> skipped = new EnumMap<>(Reason.class);
  private final Counter late;
  private final Counter failed;
  private final DistributionSummary lateness;
  private volatile double untilNext = Double.NaN;

  public ScheduleMetrics(MeterRegistry registry) {
    for (Cause cause : Cause.values()) {
      fired.put(
          cause,
          counter(
              registry, "kairos.schedule.fired", "Runs made by schedules", "cause", code(cause)));
    }
    for (Reason reason : Reason.values()) {
      skipped.put(
          reason,
          counter(
              registry,
              "kairos.schedule.skipped",
              "Fire times, or ranges of them, that were skipped",
              "reason",
              code(reason)));
    }
    late =
        counter(registry, "kairos.schedule.late", "Fire times that fired more than a second late");
    failed =
        counter(
            registry,
            "kairos.schedule.failed",
            "Schedules that could not be fired and were put off");
    lateness =
        Meters.seconds(
            registry, "kairos.schedule.lateness", "From a fire time to the decision that fires it");
    Gauge.builder("kairos.schedule.next", this, metrics -> metrics.untilNext)
        .description("Until a schedule wants to be looked at; negative while one waits for it")
        .baseUnit("seconds")
        .register(registry);
  }

  private static String code(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }

  @Override
  public void looked(Agenda agenda) {
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
    Reason reason = entry.reason();
    if (reason != null) {
      increment(skipped.get(reason));
      return;
    }
    increment(fired.get(entry.cause()));
    if (entry.cause() == Cause.SCHEDULE) {
      lateness.record(entry.late().toNanos() / NANOS_PER_SECOND);
      if (entry.late().compareTo(LATE) > 0) {
        late.increment();
      }
    }
  }

  private static void increment(@Nullable Counter counter) {
    if (counter != null) {
      counter.increment();
    }
  }

  @Override
  public void failed(ScheduleName schedule, RuntimeException why) {
    failed.increment();
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
