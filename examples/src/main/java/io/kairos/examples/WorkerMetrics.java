package io.kairos.examples;

import io.kairos.client.worker.AttemptEnding;
import io.kairos.client.worker.WorkerListener;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Locale;

/** A worker's metrics in Micrometer: {@code Worker.builder(…).listener(new WorkerMetrics(…))}. */
public final class WorkerMetrics implements WorkerListener {
  private final MeterRegistry meters;

  public WorkerMetrics(MeterRegistry meters) {
    this.meters = meters;
  }

  @Override
  public void claimed(int tasks) {
    meters.counter("kairos.worker.claimed").increment(tasks);
  }

  /** Between two machines' clocks it may be below zero by a little; a timer ignores that. */
  @Override
  public void started(String handler, Duration lateness) {
    histogram("kairos.worker.lateness").tag("handler", handler).register(meters).record(lateness);
  }

  @Override
  public void ended(String handler, AttemptEnding ending, Duration took) {
    histogram("kairos.worker.attempts")
        .tag("handler", handler)
        .tag("ending", ending.name().toLowerCase(Locale.ROOT))
        .register(meters)
        .record(took);
  }

  @Override
  public void lost(String handler, String why) {
    meters.counter("kairos.worker.lost", "handler", handler).increment();
  }

  /** The difference to those that have returned is the number of executors that they occupy. */
  @Override
  public void abandoned(String handler) {
    meters.counter("kairos.worker.abandoned", "handler", handler).increment();
  }

  @Override
  public void returned(String handler) {
    meters.counter("kairos.worker.returned", "handler", handler).increment();
  }

  @Override
  public void heartbeat(int tasks, boolean acknowledged) {
    String name = "kairos.worker.heartbeats";
    meters.counter(name, "acknowledged", Boolean.toString(acknowledged)).increment();
  }

  @Override
  public void resultRefused(String reason) {
    meters.counter("kairos.worker.results.refused").increment();
  }

  private static Timer.Builder histogram(String name) {
    return Timer.builder(name).publishPercentileHistogram();
  }
}
